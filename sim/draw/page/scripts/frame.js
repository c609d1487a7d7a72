// What each picture has: an SVG element in a frame with zoom, a tooltip, a legend, and its files.
(() => {
  const tooltip = document.createElement("div");
  tooltip.className = "tooltip";
  tooltip.hidden = true;
  document.body.append(tooltip);
  page.tooltip = (event, text) => {
    tooltip.hidden = !text;
    if (!text) return;
    tooltip.textContent = text;
    const room = 14;
    const {width, height} = tooltip.getBoundingClientRect();
    const x = event.clientX + room + width > document.documentElement.clientWidth
      ? Math.max(event.clientX - room - width, 0) : event.clientX + room;
    const y = event.clientY + room + height > innerHeight
      ? event.clientY - room - height : event.clientY + room;
    tooltip.style.left = `${x}px`;
    tooltip.style.top = `${y}px`;
  };

  page.svg = (picture, width, height, label) => d3.select(picture).append("svg")
    .attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height)
    .attr("role", "img").attr("aria-label", label).attr("font-family", "sans-serif")
    .attr("font-size", 13);

  // A group that is moved and enlarged inside a rectangle, clipped there, in the coordinates of the
  // whole picture.
  page.window = (svg, x, y, width, height) => svg.append("svg").attr("x", x).attr("y", y)
    .attr("width", width).attr("height", height).attr("overflow", "hidden")
    .attr("viewBox", `${x} ${y} ${width} ${height}`).append("g");

  // Pictures of one kind are moved and enlarged together.
  const together = new Map();
  page.zoom = (svg, kind, extent, most, moved) => {
    const zoom = d3.zoom().scaleExtent([1, most]).extent(extent).translateExtent(extent)
      .filter(() => {
        const event = d3.event;
        if (event.type === "wheel") return event.ctrlKey || svg.node().parentNode.matches(":focus");
        if (event.touches) return event.touches.length > 1;
        return !event.button && !event.shiftKey;
      })
      .on("zoom", () => {
        const to = d3.event.transform;
        moved(to);
        for (const other of together.get(kind) || [])
          if (other.svg !== svg && other.svg.node().isConnected) {
            other.svg.node().__zoom = to;
            other.moved(to);
          }
      });
    svg.call(zoom).style("touch-action", "pan-x pan-y");
    if (!together.has(kind)) together.set(kind, []);
    together.get(kind).push({svg, moved});
    return {
      by: (factor) => svg.call(zoom.scaleBy, factor),
      reset: () => svg.call(zoom.transform, d3.zoomIdentity),
      to: (transform) => svg.call(zoom.transform, transform),
    };
  };

  // Bar of colours over an axis with round ticks. `classes` from left to right, `scale` of values.
  page.legend = (svg, x, y, width, classes, scale, most, unit, words) => {
    const step = width / classes.length;
    const g = svg.append("g").attr("transform", `translate(${x} ${y})`);
    g.append("g").attr("class", "cells").attr("shape-rendering", "crispEdges").selectAll("rect")
      .data(classes).enter().append("rect").attr("class", (c) => c || "ground")
      .attr("x", (_, i) => i * step).attr("width", step).attr("height", 11);
    const axis = scale.base ? d3.axisBottom(scale)
      .tickValues(logTicks(scale.domain(), unit)).tickFormat((v) => page.text(v, unit))
      : page.roundAxis(d3.axisBottom, scale, most, unit, 5);
    g.append("g").attr("class", "scale").attr("transform", "translate(0 11)").call(axis);
    g.append("text").attr("x", width / 2).attr("y", 44).attr("text-anchor", "middle")
      .attr("font-size", 12).text(scale.base ? words : page.withUnit(words, most, unit));
  };
  page.legendHeight = 56;
  function logTicks([low, high], unit) {
    const base = unit === "bytes" ? 32 : 10;
    const ticks = [];
    for (let e = Math.ceil(Math.log(low) / Math.log(base)); base ** e <= high; ++e) ticks.push(base ** e);
    const every = Math.ceil(ticks.length / 5);
    return ticks.length > 1 ? ticks.filter((_, i) => i % every === 0) : [low, high];
  }
  page.levelLegend = (svg, x, y, width, data, words) => page.legend(svg, x, y, width,
    d3.range(1, page.levels + 1).map((l) => `l${l}`),
    (data.logarithmic ? d3.scaleLog().domain([data.least, data.most])
      : d3.scaleLinear().domain([0, data.most])).range([0, width]), data.most, data.unit, words);
  page.differenceLegend = (svg, x, y, width, most, unit, words) => page.legend(svg, x, y, width,
    [...d3.range(page.differenceSteps, 0, -1).map((l) => `m${l}`),
      ...d3.range(1, page.differenceSteps + 1).map((l) => `p${l}`)],
    d3.scaleLinear().domain([-most, most]).range([0, width]), most, unit, words);

  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.download = name;
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  // The picture with the rules of this page that colour it.
  page.svgFile = (svg) => {
    const copy = svg.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    const style = document.createElementNS(copy.namespaceURI, "style");
    style.textContent = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .map((rule) => rule.cssText).join("\n") + "\nsvg{background:var(--ground);color:var(--text)}";
    copy.prepend(style);
    return new XMLSerializer().serializeToString(copy);
  };
  const cell = (value) => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  page.csvText = (rows) => rows.map((row) => row.map(cell).join(",") + "\n").join("");

  const button = (words, label, act) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = words;
    b.setAttribute("aria-label", label);
    b.title = label;
    b.addEventListener("click", act);
    return b;
  };
  // Makes a drawn picture answer the pointer and the keys.
  page.equip = (figure, name, things) => {
    const picture = figure.querySelector(".picture");
    const output = figure.querySelector("output");
    const title = figure.querySelector("figcaption").textContent;
    const svg = picture.querySelector("svg");
    let at = -1;
    const go = (to) => {
      if (!(to >= 0 && to < things.size)) return false;
      if (to !== at) things.mark(to);
      at = to;
      output.textContent = things.say(at);
      return true;
    };
    const choose = () => things.pick && page.choose(things.pick(at));
    svg.addEventListener("pointermove", (event) =>
      page.tooltip(event, go(things.at(event)) ? output.textContent : ""));
    svg.addEventListener("pointerleave", (event) => page.tooltip(event, ""));
    svg.addEventListener("click", (event) => {
      if (!event.defaultPrevented && go(things.at(event))) choose();
    });
    picture.onfocus = () => {
      if (picture.matches(":focus-visible") && at < 0) go(0);
    };
    picture.onkeydown = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Home") go(0);
      else if (event.key === "End") go(things.size - 1);
      else if (event.key in things.step) go(at + things.step[event.key]);
      else if (event.key === "Enter" && at >= 0) choose();
      else if (event.key === "Escape") page.choose(null);
      else if (event.key === "+" || event.key === "=") things.zoom.by(1.5);
      else if (event.key === "-") things.zoom.by(1 / 1.5);
      else if (event.key === "0") things.zoom.reset();
      else return;
      event.preventDefault();
    };
    let tools = figure.querySelector(".tools");
    if (tools) tools.remove();
    tools = document.createElement("div");
    tools.className = "tools";
    const file = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40) + `-${name}`;
    tools.append(button("+", `${title}: zoom in`, () => things.zoom.by(1.5)),
      button("\u2212", `${title}: zoom out`, () => things.zoom.by(1 / 1.5)),
      button("reset", `${title}: whole picture`, () => things.zoom.reset()),
      button("SVG", `${title}: save as SVG`,
        () => save(`${file}.svg`, "image/svg+xml", page.svgFile(svg))),
      button("CSV", `${title}: save the data as CSV`,
        () => save(`${file}.csv`, "text/csv", page.csvText(things.csv()))));
    picture.after(tools);
  };
})();
