"use strict";
// The pictures of a page are SVG elements: this adds zoom, a tooltip, what belongs to a link or rank
// that is picked, one scale for the two placements shown, and their difference. Everything from the
// report is put in as text, never as markup.
const page = {};
(() => {
  const json = (id) => JSON.parse(document.getElementById(id).textContent);
  const report = page.report = json("report"), figures = page.figures = json("pictures");
  const network = page.network = json("network");
  const svgNames = "http://www.w3.org/2000/svg", levels = 32, steps = 12;
  const make = (parent, name, attributes, text) => {
    const element = parent.namespaceURI === svgNames ? document.createElementNS(svgNames, name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };

  // Numbers as the command prints them: three significant digits.
  const withPrefix = (value, step, names) => {
    let i = 0;
    for (; i + 1 < names.length && Math.abs(value) >= 0.9995 * step; ++i) value /= step;
    return `${Number(value.toPrecision(Math.abs(value) >= 999.5 ? 4 : 3))} ${names[i]}`;
  };
  const bytes = (v) => withPrefix(v, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
  const seconds = (v) => v === 0 ? "0 s" : Math.abs(v) >= 0.9995 ? `${Number(v.toPrecision(3))} s`
    : withPrefix(v * 1e12, 1000, ["ps", "ns", "us", "ms"]);
  const text = (v, unit) => unit === "bytes" ? bytes(v) : unit === "seconds" ? seconds(v)
    : String(Number(v.toPrecision(4)));
  const signed = (v, unit) => (v > 0 ? "+" : v < 0 ? "\u2212" : "\u00b1") + text(Math.abs(v), unit);
  const change = (before, after) => {
    if (before === after) return "0 %";
    if (before === 0) return "\u2013";
    const percent = 100 * (after - before) / before;
    return `${percent > 0 ? "+" : "\u2212"}` +
      `${Number(Math.abs(percent).toFixed(Math.abs(percent) < 9.95 ? 1 : 0))} %`;
  };
  // Round values up to `most`, from `least` on a logarithmic axis.
  const ticks = (most, unit, {least, logarithmic} = {}) => {
    if (!(most > 0)) return [0];
    const found = [];
    if (logarithmic) {
      const base = unit === "bytes" ? 32 : 10, log = (v) => Math.log(v) / Math.log(base);
      const first = Math.ceil(log(least) - 1e-9), last = Math.floor(log(most) + 1e-9);
      if (last <= first) return [least, most];
      for (let e = first; e <= last; e += Math.ceil((last - first + 1) / 5)) found.push(base ** e);
      return found;
    }
    const wish = most / 5, ten = 10 ** Math.floor(Math.log10(wish));
    let step = unit === "bytes" ? 2 ** Math.ceil(Math.log2(wish) - 1e-9)
      : ten * [1, 2, 5, 10].find((digit) => digit * ten >= wish * (1 - 1e-9));
    if (unit === "number") step = Math.max(step, 1);
    for (let i = 0; i * step <= most * (1 + 1e-9); ++i) found.push(i * step);
    return found;
  };

  // Colours: `l1` to `l32` of a value, `m12` to `p12` of a difference.
  const levelOf = (v, {least, most, logarithmic}) => !(v > 0 && most > 0) ? 0
    : Math.min(Math.max(Math.ceil((logarithmic ? Math.log(v / least) / Math.log(most / least)
      : v / most) * levels - 1e-9), 1), levels);
  const differenceOf = (v, most) => v === 0 || !(most > 0) ? ""
    : `${v < 0 ? "m" : "p"}${Math.max(1, Math.ceil(Math.abs(v) / most * steps - 1e-9))}`;
  const rules = (low, middle, high) => [["m", low], ["p", high]].flatMap(([letter, end]) =>
    [...Array(steps).keys()].map((i) => {
      const share = 0.15 + 0.85 * (i + 1) / steps;
      const c = `rgb(${middle.map((v, k) => Math.round(v + share * (end[k] - v))).join()})`;
      return `.cells .${letter}${i + 1}{fill:${c}}.cables .${letter}${i + 1}{stroke:${c}}`;
    })).join("");
  make(document.head, "style", {}, rules([0, 96, 110], [236, 238, 241], [163, 58, 0]) +
    `@media screen and (prefers-color-scheme:dark){${rules([79, 211, 230], [36, 39, 44], [255, 160, 92])}}`);

  const legend = (svg, unit, scale, classes) => {
    const group = svg.querySelector(".legend"), width = +group.dataset.width;
    const size = +group.getAttribute("font-size"), [x, y] = [+group.dataset.x, +group.dataset.y];
    const bar = group.querySelector(".cells"), names = group.querySelector(".ticks");
    if (classes) {
      bar.textContent = "";
      classes.forEach((c, i) => make(bar, "rect", {class: c, x: x + width * i / classes.length, y,
        width: width / classes.length, height: size}));
    }
    names.textContent = "";
    const values = ticks(scale.most, unit, scale);
    const put = (share, words) => make(names, "text", {x: x + share * width, y: y + 2.25 * size}, words);
    if (classes) for (const v of [-scale.most, 0, scale.most]) put((v / scale.most + 1) / 2, signed(v, unit));
    else if (scale.most > 0)
      for (const v of values) put(scale.logarithmic
        ? Math.log(v / scale.least) / Math.log(scale.most / scale.least) : v / scale.most, text(v, unit));
  };

  // What kinds of pictures know of their things: how many, which lies at a point, what it is.
  const loadsOf = (row) => {
    const loads = network.cables.map((names) => names.map(() => [0, 0, 0]));
    for (const [c, ...directions] of network.rows[row].loads) loads[c] = directions;
    return loads;
  };
  const busy = (directions) => Math.max(...directions.map((d) => d[2]));
  const cellsOf = (panel) => new Map(panel.cells.flatMap((c, k) => k % 2 ? [] : [[c, panel.cells[k + 1]]]));
  const kinds = {
    links: (svg, data, row, before) => {
      const loads = loadsOf(row), old = before === undefined ? null : loadsOf(before);
      const value = (c) => old ? busy(loads[c]) - busy(old[c]) : busy(loads[c]);
      const order = loads.map((_, c) => c).sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)) || a - b);
      const paths = new Map([...svg.querySelectorAll(".cables [data-i]")].map((p) => [+p.dataset.i, p]));
      const said = ([b, flows, s]) => `${bytes(b)}, ${flows} ${flows === 1 ? "flow" : "flows"}, ${seconds(s)}`;
      return {
        size: loads.length, step: {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1},
        at: (event) => event.target.dataset.i === undefined ? -1 : order.indexOf(+event.target.dataset.i),
        mark: (over, i) => make(over, "path", {class: "at", d: paths.get(order[i]).getAttribute("d")}),
        say: (i) => network.cables[order[i]].map((name, d) => `${name}: ` + (old
          ? `${said(old[order[i]][d])} before, ${said(loads[order[i]][d])} after` : said(loads[order[i]][d]))).join("; "),
        pick: (i) => ({cable: order[i]}),
        color: (scale) => paths.forEach((p, c) => p.setAttribute("class",
          old ? differenceOf(value(c), scale.most) || "l0" : `l${levelOf(value(c), scale)}`)),
        most: Math.max(0, ...order.map((c) => Math.abs(value(c)))),
        paths,
        csv: () => [["link", ...(old ? ["seconds_before", "seconds_after"] : ["bytes", "flows", "seconds"])],
          ...network.cables.flatMap((names, c) => names.map((name, d) =>
            [name, ...(old ? [old[c][d][2], loads[c][d][2]] : loads[c][d])]))],
      };
    },
    cells: (svg, data, row, before) => {
      const values = data.panels.map(cellsOf), old = before ? before.panels.map(cellsOf) : null;
      const value = (p, c) => (values[p].get(c) || 0) - (old ? old[p].get(c) || 0 : 0);
      const all = data.panels.flatMap((panel, p) => [...Array(panel.columns * panel.rows).keys()].map((c) => [p, c]));
      const columns = data.panels[0].columns, per = columns * data.panels[0].rows;
      const box = (i) => {
        const [p, c] = all[i], {x, y} = data.panels[p];
        return [x + c % columns * data.cell, y + Math.floor(c / columns) * data.cell, data.cell, data.cell];
      };
      const what = (p, c) => data.panels[p].names ? data.panels[p].names[c] || "no link"
        : (data.panels[p].title ? `${data.panels[p].title}, ` : "") + data.rows[Math.floor(c / columns)] +
          (data.unit === "bytes" ? " \u2192 " : ", ") + data.columns[c % columns];
      return {
        size: all.length, box,
        step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns},
        at: (event, px, py) => {
          for (const [p, {x, y, rows}] of data.panels.entries()) {
            const column = Math.floor((px - x) / data.cell), line = Math.floor((py - y) / data.cell);
            if (column >= 0 && column < columns && line >= 0 && line < rows) return p * per + line * columns + column;
          }
          return -1;
        },
        say: (i) => {
          const [p, c] = all[i], now = text(values[p].get(c) || 0, data.unit);
          return `${what(p, c)}: ${old ? `${text(old[p].get(c) || 0, data.unit)} before, ${now} after, ` +
            signed(value(p, c), data.unit) : now}`;
        },
        pick: (i) => {
          const name = data.rows[Math.floor(i / columns)] || "";
          const rank = data.panels.length === 1 && (/^rank (\d+)$/.exec(name) || /^[^\u2026]* \(rank (\d+)\)$/.exec(name));
          return rank ? {rank: +rank[1]} : null;
        },
        color: (scale) => svg.querySelectorAll(":scope > .cells").forEach((group, p) => {
          const found = new Map(), {rows} = data.panels[p];
          const name = (c) => old ? differenceOf(value(p, c), scale.most) : `l${levelOf(value(p, c), scale)}`;
          for (let line = 0; line < rows; ++line)
            for (let column = 0, next; column < columns; column = next) {
              const own = name(line * columns + column);
              for (next = column + 1; next < columns && name(line * columns + next) === own;) ++next;
              if (own && own !== "l0")
                found.set(own, `${found.get(own) || ""}M${column} ${line}h${next - column}v1h-${next - column}z`);
            }
          group.querySelectorAll("path").forEach((path) => path.remove());
          found.forEach((d, name) => make(group, "path", {class: name, d}));
        }),
        most: all.reduce((most, [p, c]) => Math.max(most, Math.abs(value(p, c))), 0),
        csv: () => [["where", ...(old ? ["before", "after"] : [data.unit])], ...all.filter(([p, c]) =>
          values[p].get(c) || old && old[p].get(c)).map(([p, c]) => [what(p, c),
          ...(old ? [old[p].get(c) || 0] : []), values[p].get(c) || 0])],
      };
    },
    bars: (svg, data, row, before) => {
      const count = data.values.length, pitch = data.width / count;
      const name = (i) => data.names ? `${data.axis} ${data.names[i]}`
        : `${(100 * (i + 1) / count).toFixed(1)} % of links carry at most`;
      return {
        size: count, most: data.largest, step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
        at: (event, x) => Math.floor((x - data.left) / pitch),
        box: (i) => [data.left + i * pitch, data.top, pitch, data.height],
        say: (i) => `${name(i)}: ` + (before ? `${text(before.values[i] || 0, data.unit)} before, ` +
          `${text(data.values[i], data.unit)} after` : text(data.values[i], data.unit)),
        pick: (i) => data.axis === "rank" && data.per_bar === 1 ? {rank: i} : null,
        scale: (most) => {
          const bottom = data.top + data.height, k = data.most > 0 ? data.most / most : 1;
          svg.querySelectorAll(".marks").forEach((m) => m.setAttribute("transform",
            `translate(0 ${bottom * (1 - k)}) scale(1 ${k})`));
          const axis = svg.querySelector(".upright");
          axis.textContent = "";
          for (const v of ticks(most, data.unit)) {
            const y = bottom - v / most * data.height;
            make(axis, "path", {class: v === 0 ? "axis" : "grid", d: `M${data.left} ${y}h${data.width}`});
            make(axis, "text", {x: data.left - 6, y: y + 4}, text(v, data.unit));
          }
        },
        csv: () => [[data.axis, ...(before ? ["before", "after"] : [data.unit])], ...data.values.map((v, i) =>
          [data.names ? data.names[i] : (i + 1) / count, ...(before ? [before.values[i] || 0] : []), v])],
      };
    },
    phases: (svg, data) => ({
      size: data.spans.length, step: {ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1},
      at: (event, x, y) => Math.floor((y - data.top) / data.lane),
      box: (i) => [data.left, data.top + i * data.lane, data.width, data.lane],
      say: (i) => `${data.spans[i][0]}: ${seconds(data.spans[i][1])} to ${seconds(data.spans[i][2])}, ` +
        seconds(data.spans[i][2] - data.spans[i][1]),
      csv: () => [["phase", "start_seconds", "end_seconds"], ...data.spans],
    }),
    ranks: (svg, data) => {
      const scale = data.width / (data.end || 1), time = (t) => t * data.tick;
      const words = ["local work", "message on its way", "waiting for others"];
      return {
        size: data.spans.length, step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
        at: (event, x, y) => data.spans.findIndex(([lane, , from, to]) => lane === Math.floor((y - data.top) / data.lane) &&
          time(from) <= (x - data.left) / scale && (x - data.left) / scale <= time(to)),
        box: (i) => {
          const [lane, , from, to] = data.spans[i];
          return [data.left + time(from) * scale, data.top + lane * data.lane, time(to - from) * scale, data.lane];
        },
        say: (i) => {
          const [lane, kind, from, to] = data.spans[i];
          return `rank ${data.ranks[lane]}: ${words[kind]}, ${seconds(time(from))} to ${seconds(time(to))}, ` +
            seconds(time(to - from));
        },
        pick: (i) => ({rank: data.ranks[data.spans[i][0]]}),
        csv: () => [["rank", "doing", "begin_seconds", "end_seconds"], ...data.spans.map(([lane, kind, from, to]) =>
          [data.ranks[lane], words[kind], time(from), time(to)])],
      };
    },
  };
  kinds.curve = kinds.bars;

  // Zoom: the part of a picture that is shown; pictures of one name move together.
  const shown = new Map();  // by id: what is known of each figure that has been set up
  const nameOf = (id) => id.replace(/^row-\d+-|^difference-/, "");
  const whole = (svg) => [0, 0, +svg.getAttribute("width"), +svg.getAttribute("height")];
  page.zoomOf = (svg) => whole(svg)[2] / svg.viewBox.baseVal.width;
  const show = (id, k, cx, cy) => {
    for (const [other, {svg}] of shown) {
      if (nameOf(other) !== nameOf(id)) continue;
      const [, , w, h] = whole(svg), zoom = Math.min(Math.max(k, 1), 40);
      const place = (middle, size) => Math.min(Math.max(middle * size - size / zoom / 2, 0), size * (1 - 1 / zoom));
      svg.setAttribute("viewBox", [place(cx, w), place(cy, h), w / zoom, h / zoom].join(" "));
    }
  };
  const zoomBy = (id, svg, factor, at) => {
    const {x, y, width, height} = svg.viewBox.baseVal, [, , w, h] = whole(svg);
    const [px, py] = at || [x + width / 2, y + height / 2];
    show(id, page.zoomOf(svg) * factor, (px + (x + width / 2 - px) / factor) / w, (py + (y + height / 2 - py) / factor) / h);
  };

  const tooltip = make(document.body, "div", {class: "tooltip", hidden: ""});
  const tip = (event, words) => {
    tooltip.hidden = !words;
    tooltip.textContent = words;
    const {width, height} = tooltip.getBoundingClientRect(), room = 14;
    const right = event.clientX + room + width > document.documentElement.clientWidth;
    tooltip.style.left = `${right ? Math.max(event.clientX - room - width, 0) : event.clientX + room}px`;
    tooltip.style.top = `${event.clientY + room + (event.clientY + room + height > innerHeight ? -height - 2 * room : 0)}px`;
  };
  const save = (name, type, words) => {
    const link = make(document.body, "a", {download: name, hidden: "", href: URL.createObjectURL(new Blob([words], {type}))});
    link.click();
    link.remove();
  };
  page.svgFile = (svg) => {
    const copy = svg.cloneNode(true);
    const style = make(copy, "style", {}, [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .map((rule) => rule.cssText).join("\n") + "\n:root{background:var(--ground)}");
    copy.prepend(style);
    return new XMLSerializer().serializeToString(copy);
  };
  page.things = (id) => shown.get(id).things;
  const cell = (v) => /[",\n]/.test(v) ? `"${String(v).replace(/"/g, '""')}"` : v;

  const setUp = (figure, row, before) => {
    if (shown.has(figure.id)) return;
    const picture = figure.querySelector(".picture"), svg = picture.querySelector("svg");
    const {kind, data} = figures[figure.dataset.source || figure.id];
    const title = figure.querySelector("figcaption").textContent, output = figure.querySelector("output");
    const things = kinds[kind](svg, data, row, before);
    const over = make(svg, "g", {class: "over"}), cursor = make(svg, "g", {class: "over"});
    shown.set(figure.id, {svg, things, row, data, over, kind});
    let at = -1, drag = null;
    const go = (to) => {
      if (!(to >= 0 && to < things.size)) return false;
      cursor.textContent = "";
      at = to;
      if (things.mark) things.mark(cursor, to);
      else {
        const [x, y, width, height] = things.box(to);
        make(cursor, "rect", {class: "at", x, y, width, height});
      }
      output.textContent = things.say(at);
      return true;
    };
    const point = (event) => {
      const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [p.x, p.y];
    };
    const find = (event) => things.at(event, ...point(event));
    const pick = () => things.pick && choose(things.pick(at));
    svg.addEventListener("pointermove", (event) => {
      if (!drag) return tip(event, go(find(event)) ? output.textContent : "");
      const {width, height, x, y} = svg.viewBox.baseVal, [px, py] = point(event), [, , w, h] = whole(svg);
      drag.moved = drag.moved || Math.hypot(px - drag.at[0], py - drag.at[1]) > 3;
      show(figure.id, page.zoomOf(svg), (x + width / 2 + drag.at[0] - px) / w, (y + height / 2 + drag.at[1] - py) / h);
    });
    svg.addEventListener("pointerleave", (event) => tip(event, ""));
    svg.addEventListener("pointerdown", (event) => {
      if (event.button || page.zoomOf(svg) <= 1) return;
      drag = {at: point(event)};
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointerup", () => setTimeout(() => { drag = null; }));
    svg.addEventListener("click", (event) => { if (!(drag && drag.moved) && go(find(event))) pick(); });
    svg.addEventListener("dblclick", (event) => zoomBy(figure.id, svg, 2, point(event)));
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !picture.matches(":focus")) return;
      event.preventDefault();
      zoomBy(figure.id, svg, event.deltaY < 0 ? 1.25 : 0.8, point(event));
    }, {passive: false});
    picture.onfocus = () => { if (picture.matches(":focus-visible") && at < 0) go(0); };
    const zooms = {"+": 1.5, "=": 1.5, "-": 1 / 1.5};
    picture.onkeydown = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Home") go(0);
      else if (event.key === "End") go(things.size - 1);
      else if (event.key in things.step) go(at + things.step[event.key]);
      else if (event.key === "Enter" && at >= 0) pick();
      else if (event.key === "Escape") choose(null);
      else if (event.key in zooms) zoomBy(figure.id, svg, zooms[event.key]);
      else if (event.key === "0") show(figure.id, 1, 0.5, 0.5);
      else return;
      event.preventDefault();
    };
    const tools = make(figure, "div", {class: "tools"});
    picture.after(tools);
    const owner = figure.closest("[data-name]"), file = `${nameOf(figure.id)}${owner ? `-${owner.dataset.name}` : ""}`;
    const button = (words, label, act) =>
      make(tools, "button", {type: "button", title: label, "aria-label": `${title}: ${label}`}, words).addEventListener("click", act);
    button("+", "zoom in", () => zoomBy(figure.id, svg, 1.5));
    button("\u2212", "zoom out", () => zoomBy(figure.id, svg, 1 / 1.5));
    button("reset", "whole picture", () => show(figure.id, 1, 0.5, 0.5));
    button("SVG", "save as SVG", () => save(`${file}.svg`, "image/svg+xml", page.svgFile(svg)));
    button("CSV", "save the data as CSV", () => save(`${file}.csv`, "text/csv",
      things.csv().map((line) => line.map(cell).join(",") + "\n").join("")));
  };

  // What is picked, a cable or a rank: the flows that belong to it light up in each picture.
  let picked = null;
  const panel = document.getElementById("picked"), ranks = report.rows[0].ranks;
  const visible = () => [...shown].filter(([id]) => (document.getElementById(id) || {}).offsetParent);
  const flowsOf = (row) => !picked ? [] : network.rows[row].flows.filter((flow) => picked.cable !== undefined
    ? flow.indexOf(picked.cable, 3) >= 0 : flow[0] === picked.rank || flow[1] === picked.rank);
  const hostOf = (row, rank) => network.hostNames[network.rows[row].hosts[rank]] || "?";
  const light = () => {
    if (!panel) return;
    const rows = [...new Set(visible().map(([, s]) => s.row).filter((row) => row !== undefined))];
    for (const [id, {svg, things, row, data, over, kind}] of shown) {
      const from = row === undefined ? rows[rows.length - 1] : row, mine = from === undefined ? [] : flowsOf(from);
      const lit = new Set(picked && picked.rank !== undefined ? [picked.rank] : []);
      for (const flow of mine) lit.add(flow[0]).add(flow[1]);
      over.textContent = "";
      const frame = (x, y, width, height) => make(over, "rect", {class: "pickedcell", x, y, width, height});
      if (kind === "links") {
        const cables = picked && picked.cable !== undefined ? [picked.cable] : mine.flatMap((flow) => flow.slice(3));
        for (const c of new Set(cables)) make(over, "path", {d: things.paths.get(c).getAttribute("d")});
        svg.querySelector(".cables").classList.toggle("dimmed", cables.length > 0);
        const hosts = new Set([...lit].map((r) => network.rows[row].hosts[r]));
        svg.querySelectorAll(".vertex").forEach((v) => v.classList.toggle("picked", picked !== null && hosts.has(+v.dataset.v)));
      } else if (/traffic-by/.test(id)) {
        const place = [], columns = data.panels[0].columns, block = Math.ceil(ranks / columns);
        const hosts = /by-host/.test(id) ? network.rows[from].hosts : [];
        [...Array(ranks).keys()].sort((a, b) => (hosts[a] || 0) - (hosts[b] || 0) || a - b).forEach((r, i) => { place[r] = Math.floor(i / block); });
        for (const c of new Set(mine.map((flow) => place[flow[0]] * columns + place[flow[1]]))) frame(...things.box(c));
      } else if (kind === "bars" && data.axis === "rank") {
        for (const i of new Set([...lit].map((r) => Math.floor(r / data.per_bar)))) frame(...things.box(i));
      } else if (kind === "ranks") {
        data.ranks.forEach((r, i) => { if (lit.has(r)) frame(data.left, data.top + i * data.lane, data.width, data.lane); });
      }
    }
    panel.hidden = !picked;
    panel.textContent = "";
    if (!picked) return;
    const isRank = picked.rank !== undefined, most = 12;
    const input = document.getElementById("rank");
    if (input) input.value = isRank ? picked.rank : "";
    make(panel, "h3", {}, isRank ? "Picked rank" : "Picked link");
    for (const row of rows) {
      const mine = [...flowsOf(row)].sort((a, b) => b[2] - a[2]);
      const who = isRank ? `rank ${picked.rank} on ${hostOf(row, picked.rank)}` : network.cables[picked.cable].join(" and ");
      make(panel, "p", {}, `${report.rows[row].mapper}: ${who}: ${mine.length} ${mine.length === 1 ? "flow" : "flows"}, ` +
        bytes(mine.reduce((sum, flow) => sum + flow[2], 0)));
      const list = make(panel, "ul");
      for (const [from, to, volume] of mine.slice(0, most))
        make(list, "li", {}, `rank ${from} (${hostOf(row, from)}) \u2192 rank ${to} (${hostOf(row, to)}): ${bytes(volume)}`);
      if (mine.length > most) make(list, "li", {}, `and ${mine.length - most} more`);
    }
    make(panel, "button", {type: "button"}, "nothing picked").addEventListener("click", () => choose(null));
  };
  const choose = (what) => {
    if (what && what.rank !== undefined && !(what.rank >= 0 && what.rank < ranks)) return;
    picked = what && panel && (what.rank !== undefined ||
      Object.values(network.rows).some((row) => row.flows.length > 0)) ? what : null;
    light();
  };

  page.choose = choose;

  // Numbers from low to high first, names by the alphabet; what has no value comes last.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", sign = down ? -1 : 1;
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.v;
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        return sign * (head.dataset.kind === "number" ? x - y : x.localeCompare(y));
      }));
    }));
  }

  // One scale for all pictures of a name that are shown.
  const rescale = () => {
    const groups = new Map();
    for (const [id, s] of visible()) {
      const own = /^difference/.test(id) && s.things.color;
      const key = own ? id : s.kind === "links" || /link-cells$|loads$/.test(id) ? "loads" : nameOf(id).replace(/-by-.*/, "");
      groups.set(key, [...(groups.get(key) || []), [id, s]]);
    }
    for (const group of groups.values()) {
      const most = Math.max(...group.map(([, {things, data}]) => Math.max(things.most || 0, data.largest || 0)));
      if (!(most > 0)) continue;
      for (const [id, {svg, things, data}] of group) {
        if (things.scale) things.scale(most);
        if (!things.color) continue;
        const difference = /^difference/.test(id), scale = {most, least: data.least, logarithmic: data.logarithmic && !difference};
        things.color(scale);
        legend(svg, data.unit, scale, difference ? [...[...Array(steps).keys()].map((i) => `m${steps - i}`),
          ...[...Array(steps).keys()].map((i) => `p${i + 1}`)] : null);
      }
    }
  };

  // Which rows are shown: side by side, or what the second has more than the first.
  const choices = ["before", "after"].map((id) => document.getElementById(id)).filter(Boolean);
  const view = document.getElementById("view"), verdict = document.querySelector(".verdict");
  const first = {verdict: verdict.textContent, chosen: choices.map((c) => c.value).join()};
  const label = (choice) => choice.selectedOptions[0].textContent;
  const rows = [...document.querySelectorAll("#rows > .row")], difference = document.getElementById("difference");
  const describe = () => {
    const [a, b] = choices.map((choice) => report.rows[choice.value]), parts = [];
    for (const card of document.querySelectorAll(".tiles li")) {
      const {key, unit, name} = card.dataset, [x, y] = [a[key], b[key]];
      card.hidden = x === null || y === null || x === undefined || y === undefined;
      if (card.hidden) continue;
      card.querySelector("b").textContent = change(x, y);
      card.querySelector(".quiet").textContent = `${text(x, unit)} \u2192 ${text(y, unit)}`;
      parts.push(`${name} ${change(x, y)}`);
    }
    const pair = document.querySelector(".pair");
    if (pair) pair.textContent = `From ${label(choices[0])} (before) to ${label(choices[1])} (after):`;
    verdict.textContent = choices.map((c) => c.value).join() === first.chosen ? first.verdict
      : `${label(choices[1])} against ${label(choices[0])}: ${parts.join(", ")}`;
  };
  const copyOf = (figure, name) => {
    const copy = figure.cloneNode(true);
    copy.querySelectorAll(".tools, .over, svg > .worst").forEach((e) => e.remove());
    copy.id = name;
    copy.dataset.source = figure.id;
    difference.append(copy);
    return copy;
  };
  const drawDifference = (before, after) => {
    for (const id of [...shown.keys()]) if (/^difference/.test(id)) shown.delete(id);
    difference.querySelectorAll("figure").forEach((figure) => figure.remove());
    for (const figure of rows.find((row) => row.dataset.row === after).querySelectorAll("figure")) {
      const name = nameOf(figure.id), kind = figure.dataset.kind;
      const old = document.getElementById(`row-${before}-${name}`);
      if (!old || /traffic-by-host/.test(name)) continue;  // other ranks stand there
      if (kind === "phases" || kind === "ranks") {  // one below the other, on one axis
        for (const [which, source] of [["before", old], ["after", figure]]) {
          const copy = copyOf(source, `difference-${name}-${which}`);
          copy.querySelector("figcaption").append(`, ${which}`);
          setUp(copy, which === "after" ? after : before);
        }
        continue;
      }
      const copy = copyOf(figure, `difference-${name}`), svg = copy.querySelector("svg");
      if (kind === "bars" || kind === "curve") {  // before behind after
        svg.querySelectorAll(".marks .other").forEach((e) => e.remove());
        const marks = old.querySelector(".marks").cloneNode(true);
        marks.setAttribute("class", "marks before");
        marks.querySelectorAll(".other").forEach((e) => e.remove());
        marks.querySelectorAll("rect, .line").forEach((e) => e.setAttribute("class", kind === "bars" ? "more" : "other"));
        svg.insertBefore(marks, svg.querySelector(".marks"));
        copy.querySelector("figcaption").append(": before behind after");
      }
      setUp(copy, after, kind === "links" ? before : figures[old.id].data);
    }
  };
  const update = () => {
    const wanted = choices.map((choice) => choice.value);
    const different = view.value === "difference" && wanted[0] !== wanted[1];
    for (const row of rows) {
      row.hidden = different || !wanted.includes(row.dataset.row);
      row.style.order = wanted.indexOf(row.dataset.row);
      if (!row.hidden) row.querySelectorAll("figure").forEach((figure) => setUp(figure, row.dataset.row));
    }
    difference.hidden = !different;
    if (different) drawDifference(...wanted);
    describe();
    rescale();
    light();
  };
  for (const figure of document.querySelectorAll("main > figure")) setUp(figure);
  const rank = document.getElementById("rank");
  if (rank) rank.addEventListener("change", () => choose(rank.value === "" ? null : {rank: Math.round(+rank.value)}));
  if (choices.length > 0) {
    document.querySelector(".controls").hidden = false;
    for (const choice of [...choices, view]) choice.addEventListener("change", update);
    update();
  } else for (const row of rows) row.querySelectorAll("figure").forEach((figure) => setUp(figure, row.dataset.row));
})();
