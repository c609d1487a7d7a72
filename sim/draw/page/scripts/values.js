"use strict";
// What all scripts of the page share: texts of numbers, axes with round ticks, colours of levels.
// Everything from the report comes in as text, never as markup.
const page = {};
(() => {
  const json = (id) => JSON.parse(document.getElementById(id).textContent);
  page.report = json("report");
  page.figures = json("pictures");
  page.network = json("network");

  // Three significant digits, as the command prints them.
  const withPrefix = (value, step, names) => {
    let i = 0;
    while (i + 1 < names.length && Math.abs(value) >= 0.9995 * step) {
      value /= step;
      ++i;
    }
    return `${Number(value.toPrecision(Math.abs(value) >= 999.5 ? 4 : 3))} ${names[i]}`;
  };
  const byteNames = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  page.bytes = (v) => withPrefix(v, 1024, byteNames);
  page.seconds = (v) => {
    if (v === 0) return "0 s";
    if (Math.abs(v) >= 0.9995) return `${Number(v.toPrecision(3))} s`;
    return withPrefix(v * 1e12, 1000, ["ps", "ns", "us", "ms"]);
  };
  page.text = (value, unit) =>
    unit === "bytes" ? page.bytes(value) : unit === "seconds" ? page.seconds(value)
      : String(Number(value.toPrecision(4)));
  page.signed = (value, unit) => (value > 0 ? "+" : value < 0 ? "\u2212" : "\u00b1") +
    page.text(Math.abs(value), unit);
  // "-62 %" of something that was `before`.
  page.change = (before, after) => {
    if (before === after) return "0 %";
    if (before === 0) return "\u2013";
    const percent = 100 * (after - before) / before;
    const digits = Math.abs(percent) < 9.95 ? 1 : 0;
    return `${percent > 0 ? "+" : "\u2212"}${Number(Math.abs(percent).toFixed(digits))} %`;
  };

  // The unit in which the ticks of an axis up to `most` are round, and its name.
  page.unitOf = (most, unit) => {
    if (!(most > 0) || unit === "number") return {size: 1, name: ""};
    if (unit === "bytes") {
      const i = Math.min(Math.floor(Math.log(most) / Math.log(1024) + 1e-9), byteNames.length - 1);
      return {size: 1024 ** Math.max(i, 0), name: byteNames[Math.max(i, 0)]};
    }
    const known = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"], [1e-12, "ps"]];
    const [size, name] = known.find(([s]) => most >= s * 0.9995) || known[4];
    return {size, name};
  };
  // An axis (d3.axisLeft, ...) with round ticks in that unit.
  page.roundAxis = (axis, scale, most, unit, count) => {
    const {size} = page.unitOf(most, unit);
    const [low, high] = scale.domain();
    const ticks = d3.ticks(low / size, high / size, count);
    const digits = d3.format("~r");
    return axis(scale).tickValues(ticks.map((t) => t * size))
      .tickFormat((v) => d3.format(",~r")(Number((v / size).toPrecision(6))) || digits(v));
  };
  page.withUnit = (words, most, unit) => {
    const {name} = page.unitOf(most, unit);
    return name ? `${words} (${name})` : words;
  };

  // Levels of colour: 1 to 32 of what is more than 0, classes of the style sheet.
  page.levels = 32;
  page.levelOf = ({least, most, logarithmic}) => {
    const share = logarithmic ? d3.scaleLog().domain([least, most]) : d3.scaleLinear().domain([0, most]);
    return (value) => value > 0 && most > 0
      ? Math.min(Math.max(Math.ceil(share(value) * page.levels - 1e-9), 1), page.levels) : 0;
  };
  // Differences: `m12` the largest decrease to `p12` the largest increase.
  const steps = 12;
  page.differenceClass = (value, most) => {
    if (!(most > 0) || value === 0) return "";
    const level = Math.max(1, Math.ceil(Math.abs(value) / most * steps - 1e-9));
    return `${value < 0 ? "m" : "p"}${level}`;
  };
  const rules = (low, middle, high) => {
    let text = "";
    for (const [letter, end] of [["m", low], ["p", high]]) {
      const colour = d3.interpolateLab(middle, end);
      for (let i = 1; i <= steps; ++i) {
        const c = colour(0.15 + 0.85 * i / steps);
        text += `.cells .${letter}${i}{fill:${c}}.cables .${letter}${i}{stroke:${c}}`;
      }
    }
    return text;
  };
  const style = document.createElement("style");
  style.textContent = rules("#00606e", "#eceef1", "#a33a00") +
    `@media screen and (prefers-color-scheme:dark){${rules("#4fd3e6", "#24272c", "#ffa05c")}}`;
  document.head.append(style);
  page.differenceSteps = steps;
})();
