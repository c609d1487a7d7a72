// Drives Chromium over the pipe of its DevTools protocol. Arguments: folder, pages.
"use strict";
const assert = require("assert");
const {spawn} = require("child_process");
const path = require("path");

const [folder, ...pages] = process.argv.slice(2);

/// The browser: `send` a command, hear events.
class Browser {
  constructor() {
    this.process = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", `--user-data-dir=${path.join(folder, "profile")}`,
      "--remote-debugging-pipe", "about:blank"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    this.answers = new Map();
    this.events = [];
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const messages = (rest + chunk).split("\0");
      rest = messages.pop();
      for (const message of messages) this.hear(JSON.parse(message));
    });
    this.process.stdio[3].on("error", () => {});
  }
  hear(message) {
    if (message.id === undefined) return this.events.push(message);
    const {resolve, reject} = this.answers.get(message.id);
    if (message.error) reject(new Error(JSON.stringify(message.error)));
    else resolve(message.result);
  }
  send(method, params = {}) {
    const id = this.answers.size + 1;
    const message = {id, method, params};
    if (this.session) message.sessionId = this.session;
    const answer = new Promise((resolve, reject) => this.answers.set(id, {resolve, reject}));
    this.process.stdio[3].write(JSON.stringify(message) + "\0");
    return answer;
  }
  async evaluate(expression) {
    const {result, exceptionDetails} =
      await this.send("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    assert(!exceptionDetails, JSON.stringify(exceptionDetails));
    return result.value;
  }
  async press(key) {
    for (const type of ["rawKeyDown", "char", "keyUp"]) {
      if (type === "char" && key !== "Enter") continue;
      await this.send("Input.dispatchKeyEvent", {type, key, code: key,
        windowsVirtualKeyCode: {Enter: 13, ArrowRight: 39, ArrowDown: 40, End: 35, Home: 36}[key],
        ...(key === "Enter" ? {text: "\r"} : {})});
    }
  }
  async point(x, y) {
    await this.send("Input.dispatchMouseEvent", {type: "mouseMoved", x, y});
  }
  async size(width, height) {
    await this.send("Emulation.setDeviceMetricsOverride",
      {width, height, deviceScaleFactor: 1, mobile: false});
  }
}

/// Loads a page; nothing but the page itself may be asked for, and nothing complained about.
async function load(browser, page) {
  browser.events.length = 0;
  const url = `file://${path.join(folder, page)}`;
  await browser.send("Page.navigate", {url});
  for (;;) {
    if (browser.events.some((e) => e.method === "Page.loadEventFired")) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function checkQuiet(browser, page) {
  const complaints = browser.events.filter((e) => ["Runtime.exceptionThrown",
    "Runtime.consoleAPICalled", "Log.entryAdded"].includes(e.method));
  assert.deepStrictEqual(complaints, [], page);
  const requests = browser.events.filter((e) => e.method === "Network.requestWillBeSent");
  assert.deepStrictEqual(requests.length, 1, page);
}

const column = (index) => `[...document.querySelectorAll("table.sortable tbody tr")]
  .map((row) => +row.cells[${index}].dataset.v)`;

async function checkSorting(browser) {
  const up = (values) => [...values].sort((a, b) => a - b);
  const at = await browser.evaluate(`[...document.querySelectorAll("table.sortable thead th")]
    .findIndex((head) => head.textContent === "hop-bytes")`);
  assert(at > 0);
  const head = `document.querySelectorAll("table.sortable thead th")[${at}]`;
  const box = await browser.evaluate(`(() => { const button = ${head}.querySelector("button");
    button.scrollIntoView({block: "center"});
    const r = button.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`);
  for (const type of ["mousePressed", "mouseReleased"])
    await browser.send("Input.dispatchMouseEvent",
      {type, x: box[0], y: box[1], button: "left", clickCount: 1});
  let values = await browser.evaluate(column(at));
  assert.deepStrictEqual(values, up(values));
  assert.strictEqual(await browser.evaluate(`${head}.getAttribute("aria-sort")`), "ascending");
  await browser.evaluate(`${head}.querySelector("button").focus()`);
  await browser.press("Enter");
  values = await browser.evaluate(column(at));
  assert.deepStrictEqual(values, up(values).reverse());
  assert.strictEqual(await browser.evaluate(`${head}.getAttribute("aria-sort")`), "descending");
  assert.strictEqual(await browser.evaluate(
    `document.querySelectorAll("th[aria-sort=ascending], th[aria-sort=descending]").length`), 1);
}

/// Says what the shown figure of a kind tells after something was done to it.
const told = (figure) => `${figure}.querySelector("output").textContent`;

async function checkFigure(browser, kind) {
  const figure = `[...document.querySelectorAll("figure")].find((f) => f.offsetParent !== null &&
    JSON.parse(document.getElementById("pictures").textContent)[f.id].kind === "${kind}")`;
  if (!await browser.evaluate(`!!${figure}`)) return false;
  await browser.evaluate(`${figure}.scrollIntoView({block: "center"})`);
  await browser.evaluate(`${figure}.querySelector(".picture").focus()`);
  await browser.press("End");
  await browser.press("Home");
  const first = await browser.evaluate(told(figure));
  assert.match(first, /: .*\d/, kind);
  await browser.evaluate(`${figure}.querySelector("output").textContent = ""`);
  // a cable, the first cell, or a place in the chart
  const [x, y] = await browser.evaluate(`(() => {
    const svg = ${figure}.querySelector("svg");
    const path = svg.querySelector(".cables path:last-child");
    const {data} = JSON.parse(document.getElementById("pictures").textContent)[${figure}.id];
    const at = path ? path.getPointAtLength(path.getTotalLength() * 0.4)
      : data.panels ? {x: data.panels[0].x + 0.5 * data.cell, y: data.panels[0].y + 0.5 * data.cell}
      : {x: data.left + 0.1 * data.width, y: data.top + 0.5 * data.height};
    const point = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y]; })()`);
  await browser.point(x, y);
  assert.match(await browser.evaluate(told(figure)), /: .*\d/, `${kind} under the pointer`);
  return true;
}

/// The arrow keys start at the most loaded link, which the table names too.
async function checkBusiestLink(browser) {
  const figure = `document.querySelector("figure[id^=row-][id$=-links]")`;
  await browser.evaluate(`${figure}.querySelector(".picture").focus({focusVisible: true})`);
  await browser.press("Home");
  const text = await browser.evaluate(told(figure));
  const cable = await browser.evaluate(`(() => {
    const cables = JSON.parse(document.getElementById("pictures").textContent)[${figure}.id].data.cables;
    return cables.reduce((a, b) => Math.max(...b.map((d) => d[3])) > Math.max(...a.map((d) => d[3])) ? b : a);
  })()`);
  assert(text.startsWith(`${cable[0][0]}: `), text);
  const time = await browser.evaluate(`${figure}.closest("section")
    .querySelector("table tbody td:last-child").textContent`);
  assert(text.includes(time), `${text} has ${time}, as the command prints it`);
}

async function checkSwitch(browser) {
  const shown = `[...document.querySelectorAll("#rows > .row")].filter((r) => r.offsetParent !== null)
    .map((r) => r.dataset.row).sort().join()`;
  assert.strictEqual((await browser.evaluate(shown)).split(",").length, 2);
  await browser.evaluate(`(() => { for (const [id, value] of [["before", "1"], ["after", "2"]]) {
    const choice = document.getElementById(id); choice.value = value;
    choice.dispatchEvent(new Event("change")); } })()`);
  assert.strictEqual(await browser.evaluate(shown), "1,2");
}

async function checkLooks(browser, page) {
  await browser.size(400, 800);
  const width = await browser.evaluate("document.scrollingElement.scrollWidth");
  assert(width <= 400, `${page} is ${width} pixels wide on a screen of 400`);
  const ground = `getComputedStyle(document.body).backgroundColor`;
  const light = await browser.evaluate(ground);
  await browser.send("Emulation.setEmulatedMedia",
    {features: [{name: "prefers-color-scheme", value: "dark"}]});
  assert.notStrictEqual(await browser.evaluate(ground), light);
  await browser.send("Emulation.setEmulatedMedia", {features: []});
  await browser.size(1200, 900);
}

/// An SVG file by itself is well formed.
async function checkPicture(browser, page) {
  await load(browser, page);
  assert.strictEqual(await browser.evaluate("document.documentElement.localName"), "svg", page);
  assert(!await browser.evaluate(`document.documentElement.outerHTML.includes("parsererror")`), page);
  checkQuiet(browser, page);
}

async function checkPage(browser, page) {
  if (page.endsWith(".svg")) return checkPicture(browser, page);
  await load(browser, page);
  await checkSorting(browser);
  const kinds = [];
  for (const kind of ["cables", "cells", "bars", "curve"])
    if (await checkFigure(browser, kind)) kinds.push(kind);
  if (kinds.includes("cables")) await checkBusiestLink(browser);
  assert(kinds.length >= 3, `${page} has ${kinds}`);
  if (await browser.evaluate(`!!document.getElementById("before")`)) await checkSwitch(browser);
  await checkLooks(browser, page);
  assert.strictEqual(await browser.evaluate("typeof window.hacked"), "undefined");
  checkQuiet(browser, page);
  console.log(`${page}: ${kinds.join(", ")}`);
}

async function main() {
  const browser = new Browser();
  let code = 0;
  try {
    const {targetInfos} = await browser.send("Target.getTargets");
    const {targetId} = targetInfos.find((target) => target.type === "page");
    browser.session =
      (await browser.send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);
    await browser.size(1200, 900);
    for (const page of pages) await checkPage(browser, page);
  } catch (error) {
    console.error(error);
    code = 1;
  }
  browser.session = undefined;
  browser.send("Browser.close").catch(() => {});
  await browser.ended;
  process.exitCode = code;
}
main();
