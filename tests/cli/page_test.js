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
      if (type === "char" && key !== "Enter" && key.length > 1) continue;
      await this.send("Input.dispatchKeyEvent", {type, key, code: key,
        windowsVirtualKeyCode: {Enter: 13, Escape: 27, ArrowRight: 39, ArrowDown: 40, End: 35,
          Home: 36}[key],
        ...(key === "Enter" ? {text: "\r"} : key.length === 1 ? {text: key} : {})});
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
    .findIndex((head) => head.dataset.key === "hop_bytes")`);
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

/// Says what the shown figure of a kind shows after something was done to it.
const told = (figure) => `${figure}.querySelector("output").textContent`;

/// Keys enlarge a picture and show the whole again.
async function checkZoom(browser, figure, kind) {
  const scale = `+page.zoomOf(${figure}.querySelector("svg")).toFixed(6)`;
  await browser.evaluate(`${figure}.querySelector(".picture").focus()`);
  assert.strictEqual(await browser.evaluate(scale), 1);
  await browser.press("+");
  assert.strictEqual(await browser.evaluate(scale), 1.5, `${kind} enlarged`);
  await browser.press("0");
  assert.strictEqual(await browser.evaluate(scale), 1, `${kind} whole`);
}

/// The picture as a file is XML, the data has lines of as many cells as its header.
async function checkFiles(browser, figure, kind) {
  const [words, lines] = await browser.evaluate(`(() => {
    const text = page.svgFile(${figure}.querySelector("svg"));
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    return [root.localName, page.things(${figure}.id).csv().map((line) => line.length)]; })()`);
  assert.strictEqual(words, "svg", kind);
  assert(lines.length > 1 && lines.every((length) => length === lines[0]), `${kind}: ${lines}`);
}

async function checkFigure(browser, kind) {
  const figure = `[...document.querySelectorAll("figure")].find((f) => f.offsetParent !== null &&
    page.figures[f.id].kind === "${kind}")`;
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
    const path = svg.querySelector(".cables [data-i]:last-child");
    const inner = path || svg.querySelector(".cells .ground") || svg.querySelector(".bar") ||
      svg.querySelector(".line") || svg.querySelector(["computing", "transferring", "waiting"].map((c) => "path." + c + ":not([d=''])").join());
    const box = inner.getBBox();
    const at = path ? path.getPointAtLength(path.getTotalLength() * 0.4)
      : inner.matches("path[class]:not(.line)") ? (([, x, y]) => ({x: +x + 0.05, y: +y + 1}))(/M([\\d.]+) ([\\d.]+)/.exec(inner.getAttribute("d")))
        : {x: box.x + 0.01 * box.width, y: box.y + 0.01 * box.height};
    const matrix = inner.getScreenCTM();
    const point = new DOMPoint(at.x, at.y).matrixTransform(matrix);
    return [point.x, point.y]; })()`);
  await browser.point(x, y);
  assert.match(await browser.evaluate(told(figure)), /: .*\d/, `${kind} under the pointer`);
  assert.strictEqual(await browser.evaluate(`document.querySelector(".tooltip").textContent`),
    await browser.evaluate(told(figure)), `${kind}: the tooltip at the pointer`);
  await checkZoom(browser, figure, kind);
  await checkFiles(browser, figure, kind);
  return true;
}

/// The arrow keys start at the most loaded link, which the table names too.
async function checkBusiestLink(browser) {
  const figure = `[...document.querySelectorAll("figure[id^=row-][id$=-links]")]
    .find((f) => f.offsetParent !== null)`;
  await browser.evaluate(`${figure}.querySelector(".picture").focus({focusVisible: true})`);
  await browser.press("Home");
  const text = await browser.evaluate(told(figure));
  const name = await browser.evaluate(`(() => {
    const {loads} = page.network.rows[${figure}.closest("section").dataset.row];
    const most = ([, ...directions]) => Math.max(...directions.map((d) => d[2]));
    const [cable] = loads.reduce((a, b) => most(b) > most(a) ? b : a);
    return page.network.cables[cable][0]; })()`);
  assert(text.startsWith(`${name}: `), text);
  const time = await browser.evaluate(`${figure}.closest("section")
    .querySelector("table tbody td:last-child").textContent`);
  assert(text.includes(time), `${text} has ${time}, as the command prints it`);
}

async function checkSwitch(browser) {
  const shown = `[...document.querySelectorAll("#rows > .row")].filter((r) => r.offsetParent !== null)
    .map((r) => r.dataset.row).sort().join()`;
  assert.strictEqual((await browser.evaluate(shown)).split(",").length, 2);
  // not the pair that is shown at first
  const [before, after] = await browser.evaluate(`[page.report.rows.length - 1, page.report.rows.length - 2]`);
  await browser.evaluate(`(() => { for (const [id, value] of [["before", "${before}"], ["after", "${after}"]]) {
    const choice = document.getElementById(id); choice.value = value;
    choice.dispatchEvent(new Event("change")); } })()`);
  assert.strictEqual(await browser.evaluate(shown), `${after},${before}`);
  const verdict = `document.querySelector(".verdict").textContent`;
  const [a, b] = await browser.evaluate(`[${before}, ${after}].map((r) => page.report.rows[r])`);
  const words = await browser.evaluate(verdict);
  assert(words.startsWith(`${b.mapper} against ${a.mapper}: hop-bytes `), words);
  const card = await browser.evaluate(`document.querySelector("[data-key=hop_bytes] b").textContent`);
  const percent = 100 * (b.hop_bytes - a.hop_bytes) / a.hop_bytes;
  const told = parseFloat(card.replace("\u2212", "-"));
  assert(Math.abs(told - percent) <= 0.5, `${card} is ${percent}`);
}

/// What the picture of a difference says is after less before.
async function checkDifference(browser) {
  const show = (view) => browser.evaluate(`(() => { const choice = document.getElementById("view");
    choice.value = "${view}"; choice.dispatchEvent(new Event("change")); })()`);
  await show("difference");
  assert.strictEqual(await browser.evaluate(`document.querySelectorAll("#rows > .row:not([hidden])").length`), 0);
  const wrong = await browser.evaluate(`(() => {
    const id = [...document.querySelectorAll("#difference figure")].map((f) => f.id)
      .find((id) => /hops$/.test(id));
    const [a, b] = ["before", "after"].map((which) => page.report.rows[
      document.getElementById(which).value].hop_histogram);
    return page.things(id).csv().slice(1).filter(([hops, before, after]) =>
      before !== (a[hops] || 0) || after !== (b[hops] || 0)); })()`);
  assert.deepStrictEqual(wrong, []);
  assert(await browser.evaluate(`document.querySelectorAll("#difference svg").length`) >= 3);
  // the timelines of both stand one above the other
  const timelines = await browser.evaluate(`["before", "after"].map((which) =>
    !!page.figures["row-" + document.getElementById(which).value + "-timeline-of-ranks"])`);
  assert.strictEqual(timelines.filter(Boolean).length, await browser.evaluate(
    `document.querySelectorAll("[id^=difference-timeline-of-ranks]").length`));
  await show("both");
}

/// The busiest link and a rank are picked by the keys and by name; what belongs to them lights up.
async function checkPicked(browser) {
  const figure = `[...document.querySelectorAll("figure[id$=-links]")].find((f) => f.offsetParent)`;
  if (!await browser.evaluate(`!!${figure}`)) return;
  const panel = `document.getElementById("picked")`;
  await browser.evaluate(`${figure}.querySelector(".picture").focus()`);
  await browser.press("Home");
  await browser.press("Enter");
  const flows = await browser.evaluate(`${panel}.querySelectorAll("li").length`);
  assert(flows > 0);
  assert(await browser.evaluate(`document.querySelectorAll(".pickedcell").length`) > 0);
  await browser.press("Escape");
  assert(await browser.evaluate(`${panel}.hidden`));
  if (!await browser.evaluate(`!!document.getElementById("rank")`)) return;
  await browser.evaluate(`(() => { const rank = document.getElementById("rank"); rank.value = "3";
    rank.dispatchEvent(new Event("change")); })()`);
  const text = await browser.evaluate(`${panel}.textContent`);
  assert(text.includes("rank 3 on "), text);
  // Each flow of the rank, in both directions, in the first of the rows shown.
  const [counted, told] = await browser.evaluate(`(() => {
    const row = document.querySelector("#rows > .row:not([hidden])").dataset.row;
    const mine = page.network.rows[row].flows.filter((f) => f[0] === 3 || f[1] === 3).length;
    return [mine, +/: (\\d+) flows/.exec(${panel}.querySelector("p").textContent)[1]]; })()`);
  assert.strictEqual(told, counted);
  await browser.evaluate("page.choose(null)");
}

/// Everything that can be reached has a name, and words stand out from their ground by 4.5:1 (WCAG
/// 2.1, 1.4.3).
async function checkAccess(browser, page) {
  const found = await browser.evaluate(`(() => {
    const wrong = [];
    for (const e of document.querySelectorAll("button, select, input, [tabindex], svg[role=img]")) {
      const name = e.getAttribute("aria-label") || e.textContent.trim() ||
        (e.labels && e.labels.length && e.labels[0].textContent.trim());
      if (!name) wrong.push(e.outerHTML.slice(0, 80));
    }
    const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
    if (new Set(ids).size !== ids.length) wrong.push("an id stands twice");
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\\d.]+/g).map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (e) => {
      for (; e; e = e.parentElement) {
        const colour = getComputedStyle(e).backgroundColor;
        if (!/, 0\\)$/.test(colour)) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    for (const e of document.querySelectorAll("p, b, dt, dd, th, td, button, label, span, svg text")) {
      if (!e.textContent.trim()) continue;
      const style = getComputedStyle(e);
      const pair = [light(e.localName === "text" ? style.fill : style.color), light(ground(e))].sort((a, b) => b - a);
      const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
      if (contrast < 4.5) wrong.push(e.outerHTML.slice(0, 80) + " " + contrast.toFixed(2));
    }
    return wrong.slice(0, 5);
  })()`);
  assert.deepStrictEqual(found, [], page);
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
  await checkAccess(browser, `${page}, dark`);
  await browser.send("Emulation.setEmulatedMedia", {features: []});
  await browser.size(1200, 900);
}

/// On paper nothing leaves the sheet, no part of a picture or table is cut off, and there is no control.
async function checkPrint(browser, page) {
  const paper = 718;  // pixels of A4 between margins of 1 cm
  await browser.size(paper, 1000);
  await browser.send("Emulation.setEmulatedMedia", {media: "print"});
  const wrong = await browser.evaluate(`(() => {
    const shown = [...document.querySelectorAll("main *, header *")].filter((e) => e.getClientRects().length > 0);
    const wide = shown.filter((e) => !e.closest("svg") || e.localName === "svg" && !e.parentElement.closest("svg"))
      .filter((e) => e.getBoundingClientRect().right > ${paper} + 1);
    const cut = shown.filter((e) => !e.closest("svg") && getComputedStyle(e).overflowX !== "visible" &&
      e.scrollWidth > e.clientWidth + 1);
    const controls = shown.filter((e) => ["SELECT", "INPUT"].includes(e.tagName));
    return [...wide, ...cut, ...controls].map((e) => e.outerHTML.slice(0, 80)).slice(0, 5); })()`);
  assert.deepStrictEqual(wrong, [], `${page} on paper`);
  await browser.send("Emulation.setEmulatedMedia", {media: ""});
  const {data} = await browser.send("Page.printToPDF", {paperWidth: 8.27, paperHeight: 11.69,
    marginTop: 0.4, marginBottom: 0.4, marginLeft: 0.4, marginRight: 0.4});
  const pdf = Buffer.from(data, "base64").toString("latin1");
  assert(pdf.startsWith("%PDF"), page);
  const sheets = (pdf.match(/\/Type \/Page\b/g) || []).length;
  assert(sheets >= 1 && sheets <= 30, `${page} has ${sheets} sheets`);
  await browser.size(1200, 900);
}

/// A simulated trace: the timeline of ranks by keys, pointer and zoom.
async function checkTrace(browser, page) {
  await load(browser, page);
  for (const kind of ["ranks", "bars"]) assert(await checkFigure(browser, kind), `${page} has ${kind}`);
  await checkAccess(browser, page);
  await checkLooks(browser, page);
  await checkPrint(browser, page);
  checkQuiet(browser, page);
  console.log(`${page}: ranks, bars`);
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
  if (page.startsWith("trace")) return checkTrace(browser, page);
  await load(browser, page);
  await checkSorting(browser);
  const kinds = [];
  for (const kind of ["links", "cells", "bars", "curve", "phases", "ranks"])
    if (await checkFigure(browser, kind)) kinds.push(kind);
  if (kinds.includes("links")) await checkBusiestLink(browser);
  assert(kinds.length >= 3, `${page} has ${kinds}`);
  if (page.startsWith("schedule")) assert(kinds.includes("ranks"), `${page} has ${kinds}`);
  await checkAccess(browser, page);
  await checkPicked(browser);
  if (await browser.evaluate(`!!document.getElementById("before")`)) {
    await checkSwitch(browser);
    await checkDifference(browser);
  }
  await checkLooks(browser, page);
  await checkPrint(browser, page);
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
