"use strict";
// Sorting of tables, the switch between rows, and what lies under the pointer or the cursor of a
// picture. Everything from the report comes in as text, never as markup.
(() => {
  const figures = JSON.parse(document.getElementById("pictures").textContent);

  // Three significant digits, as the command prints them.
  const withPrefix = (value, step, names) => {
    let i = 0;
    while (i + 1 < names.length && Math.abs(value) >= 0.9995 * step) {
      value /= step;
      ++i;
    }
    return `${Number(value.toPrecision(value >= 999.5 ? 4 : 3))} ${names[i]}`;
  };
  const bytes = (v) => withPrefix(v, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
  const seconds = (v) => {
    if (v === 0) return "0 s";
    if (v >= 0.9995) return `${Number(v.toPrecision(3))} s`;
    return withPrefix(v * 1e12, 1000, ["ps", "ns", "us", "ms"]);
  };
  const text = (value, unit) =>
    unit === "bytes" ? bytes(value) : unit === "seconds" ? seconds(value) : String(value);

  const svgPoint = (svg, event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const mark = (svg, x, y, width, height) => {
    let cursor = svg.querySelector(".cursor");
    if (!cursor) {
      cursor = document.createElementNS(svg.namespaceURI, "rect");
      cursor.setAttribute("class", "cursor");
      svg.append(cursor);
    }
    for (const [name, value] of Object.entries({x, y, width, height}))
      cursor.setAttribute(name, value);
  };

  // Values side by side over the width of a chart.
  function columns(svg, data, say) {
    const width = data.width / data.values.length;
    return {
      size: data.values.length,
      at: (event) => Math.floor((svgPoint(svg, event).x - data.left) / width),
      step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
      mark: (at) => mark(svg, data.left + at * width, data.top, width, data.height),
      say,
    };
  }

  // A kind of picture: how many things it has, which lies under the pointer, where the arrow keys
  // lead, how one is marked and what is said about it.
  const kinds = {
    cables(svg, data) {
      const paths = new Map([...svg.querySelectorAll(".cables path")].map((p) => [+p.dataset.i, p]));
      const load = (i) => Math.max(...data.cables[i].map((d) => d[3]));
      const order = data.cables.map((_, i) => i).sort((a, b) => load(b) - load(a) || a - b);
      const place = new Map(order.map((cable, at) => [cable, at]));
      return {
        size: order.length,
        at: (event) => {
          const i = event.target.dataset && event.target.dataset.i;
          return i === undefined ? -1 : place.get(+i);
        },
        step: {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1},
        mark: (at) => {
          for (const p of svg.querySelectorAll(".at")) p.classList.remove("at");
          paths.get(order[at]).classList.add("at");
        },
        say: (at) =>
          data.cables[order[at]]
            .map(([name, volume, flows, time]) =>
              `${name}: ${bytes(volume)}, ${flows} ${flows === 1 ? "flow" : "flows"}, ${seconds(time)}`)
            .join("; "),
      };
    },
    cells(svg, data) {
      const values = data.panels.map((panel) => {
        const map = new Map();
        for (let k = 0; k < panel.cells.length; k += 2) map.set(panel.cells[k], panel.cells[k + 1]);
        return map;
      });
      const starts = [0];
      for (const panel of data.panels) starts.push(starts.at(-1) + panel.columns * panel.rows);
      const find = (at) => {
        let p = 0;
        while (at >= starts[p + 1]) ++p;
        return [p, at - starts[p]];
      };
      const columns = data.panels[0].columns;
      return {
        size: starts.at(-1),
        at: (event) => {
          const point = svgPoint(svg, event);
          for (const [p, panel] of data.panels.entries()) {
            const column = Math.floor((point.x - panel.x) / data.cell);
            const row = Math.floor((point.y - panel.y) / data.cell);
            if (column >= 0 && column < panel.columns && row >= 0 && row < panel.rows)
              return starts[p] + row * panel.columns + column;
          }
          return -1;
        },
        step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns},
        mark: (at) => {
          const [p, cell] = find(at);
          const panel = data.panels[p];
          mark(svg, panel.x + (cell % panel.columns) * data.cell,
            panel.y + Math.floor(cell / panel.columns) * data.cell, data.cell, data.cell);
        },
        say: (at) => {
          const [p, cell] = find(at);
          const panel = data.panels[p];
          const value = text(values[p].get(cell) || 0, data.unit);
          const title = panel.title ? `${panel.title}, ` : "";
          if (panel.names) return `${title}${panel.names[cell] ? `${panel.names[cell]}: ${value}` : "no link"}`;
          const row = data.rows[Math.floor(cell / panel.columns)];
          const column = data.columns[cell % panel.columns];
          const joint = data.unit === "bytes" ? " \u2192 " : ", ";
          return `${title}${row}${joint}${column}: ${value}`;
        },
      };
    },
    bars(svg, data) {
      return columns(svg, data,
        (at) => `${data.axis} ${data.names[at]}: ${text(data.values[at], data.unit)}` +
          (data.unit === "number" ? (data.values[at] === 1 ? " edge" : " edges") : ""));
    },
    curve(svg, data) {
      return columns(svg, data,
        (at) => `${Number((100 * (at + 1) / data.values.length).toPrecision(3))} % of the links: ` +
          `at most ${seconds(data.values[at])}`);
    },
  };

  for (const figure of document.querySelectorAll("figure")) {
    const {kind, data} = figures[figure.id];
    const svg = figure.querySelector("svg");
    const picture = figure.querySelector(".picture");
    const output = figure.querySelector("output");
    let things;  // made when first needed: there may be many
    let at = -1;
    const go = (to) => {
      things = things || kinds[kind](svg, data);
      if (!(to >= 0 && to < things.size)) return;
      at = to;
      things.mark(at);
      output.textContent = things.say(at);
    };
    picture.addEventListener("pointermove", (event) => {
      things = things || kinds[kind](svg, data);
      go(things.at(event));
    });
    picture.addEventListener("focus", () => {
      if (picture.matches(":focus-visible") && at < 0) go(0);
    });
    picture.addEventListener("keydown", (event) => {
      things = things || kinds[kind](svg, data);
      if (event.key === "Home") go(0);
      else if (event.key === "End") go(things.size - 1);
      else if (event.key in things.step) go(at + things.step[event.key]);
      else return;
      event.preventDefault();
    });
  }

  // Numbers from low to high first, names by the alphabet; what has no value comes last.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.v;
      const sign = down ? -1 : 1;
      const numbers = head.dataset.kind === "number";
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        return sign * (numbers ? x - y : x.localeCompare(y));
      });
      table.tBodies[0].append(...rows);
    }));
  }

  const rows = [...document.querySelectorAll("#rows > .row")];
  const choices = ["before", "after"].map((id) => document.getElementById(id)).filter(Boolean);
  const show = () => {
    const wanted = choices.map((choice) => choice.value);
    for (const row of rows) row.hidden = !wanted.includes(row.dataset.row);
    wanted.forEach((value, order) => {
      const row = rows.find((r) => r.dataset.row === value);
      row.style.order = order;
    });
  };
  for (const choice of choices) choice.addEventListener("change", show);
  if (choices.length > 0) {
    document.querySelector(".controls").hidden = false;
    show();
  }
})();
