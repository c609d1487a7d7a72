// Numbers in cells: matrices of traffic, links of large networks.
(() => {
  const at = (panel) => {
    const map = new Map();
    for (let k = 0; k < panel.cells.length; k += 2) map.set(panel.cells[k], panel.cells[k + 1]);
    return map;
  };
  // Path of all cells of one class; neighbours in a row are one rectangle.
  const paths = (panel, classOf) => {
    const found = new Map();
    for (let row = 0; row < panel.rows; ++row)
      for (let column = 0, next; column < panel.columns; column = next) {
        const name = classOf(row * panel.columns + column);
        for (next = column + 1; next < panel.columns && classOf(row * panel.columns + next) === name;) ++next;
        if (name) found.set(name, (found.get(name) || "") +
          `M${column} ${row}h${next - column}v1h-${next - column}z`);
      }
    return [...found];
  };
  // Where ranks or hosts stand: round numbers of ranks, else as many names as there is room for.
  const short = (name) => name.replace(/ \(.*$/, "").replace(/ \u2026.*$/, "");
  const ranksOf = (names) => names.map((name) => /^ranks? (\d+)(?:\u2013(\d+))?$/.exec(name));
  const sideAxis = (make, names, scale, length, across) => {
    const ranks = ranksOf(names);
    if (ranks.length && ranks.every(Boolean)) {
      const perCell = +(ranks[0][2] || ranks[0][1]) - +ranks[0][1] + 1;
      const [low, high] = scale.domain().map((v) => v * perCell);
      const ticks = d3.ticks(low, high, Math.max(length / 60, 2)).filter(Number.isInteger);
      return make(scale).tickValues(ticks.map((t) => t / perCell)).tickFormat((v) =>
        d3.format(",")(Math.round(v * perCell)));
    }
    const [low, high] = scale.domain();
    const room = across ? 7.2 * d3.max(names, (n) => short(n).length) + 10 : 16;
    const every = Math.max(1, Math.ceil((high - low) / Math.max(length / room, 1)));
    const ticks = d3.range(0, names.length).filter((i) => i % every === 0 && i + 0.5 >= low && i + 0.5 <= high);
    return make(scale).tickValues(ticks.map((i) => i + 0.5))
      .tickFormat((v) => short(names[Math.floor(v)] || ""));
  };

  // `other`: the data of the picture after, for the difference.
  page.drawCells = (picture, title, data, other) => {
    const panels = data.panels, single = panels.length === 1 && data.rows.length > 0;
    const values = panels.map(at);
    const after = other ? other.panels.map(at) : null;
    const value = (p, c) => after ? (after[p].get(c) || 0) - (values[p].get(c) || 0)
      : values[p].get(c) || 0;
    const most = after ? d3.max(panels, (panel, p) =>
      d3.max(d3.range(panel.columns * panel.rows), (c) => Math.abs(value(p, c)))) : data.most;
    const level = page.levelOf(data);
    const name = (p, c) => {
      if (after) return page.differenceClass(value(p, c), most);
      const l = level(value(p, c));
      return l ? `l${l}` : "";
    };
    // A single panel has axes with names; panels of a grid stand side by side as they are.
    const longest = single ? d3.max(data.rows, (n) => short(n).length) : 0;
    const numeric = single && ranksOf(data.rows).every(Boolean);
    const left = single ? Math.min(34 + 7.2 * (numeric ? 5 : longest), 170) : 0;
    const side = single ? Math.min(panels[0].columns > 6 ? 30 : 64, 420 / Math.max(panels[0].columns, 1),
      420 / Math.max(panels[0].rows, 1)) : data.cell;
    const top = single ? 44 : 0;
    const width = single ? side * panels[0].columns : d3.max(panels, (p) => p.x + p.columns * data.cell) + 8;
    const height = single ? side * panels[0].rows : d3.max(panels, (p) => p.y + p.rows * data.cell) + 4;
    const whole = Math.max(left + width + 36, 400);
    const svg = page.svg(picture, whole, top + height + 12 + page.legendHeight, title);
    const words = data.unit === "bytes" ? (after ? "more or fewer bytes" : "bytes")
      : (after ? "more or less time to carry the bytes" : "time to carry the bytes");
    const bar = Math.min(300, whole - 60), barX = Math.max(left, 24);
    if (after) page.differenceLegend(svg, barX, top + height + 12, bar, most, data.unit, words);
    else page.levelLegend(svg, barX, top + height + 12, bar, data, words);

    const inside = page.window(svg, left, top, width, height);
    const places = panels.map((panel) => single ? {x: left, y: top} : {x: panel.x, y: panel.y});
    panels.forEach((panel, p) => {
      const {x, y} = places[p];
      if (panel.title) inside.append("text").attr("x", x).attr("y", y - 6).text(panel.title);
      const g = inside.append("g").attr("class", "cells").attr("shape-rendering", "crispEdges")
        .attr("transform", `translate(${x} ${y}) scale(${side})`);
      g.append("rect").attr("class", "ground").attr("width", panel.columns).attr("height", panel.rows);
      for (const [c, d] of paths(panel, (cell) => name(p, cell)))
        g.append("path").attr("class", c).attr("d", d);
    });
    const marks = inside.append("g");
    const cursor = inside.append("rect").attr("class", "cursor").attr("visibility", "hidden");

    let moved = (to) => inside.attr("transform", to);
    if (single) {
      const x = d3.scaleLinear().domain([0, panels[0].columns]).range([left, left + width]);
      const y = d3.scaleLinear().domain([0, panels[0].rows]).range([top, top + height]);
      const across = svg.append("g").attr("class", "scale").attr("transform", `translate(0 ${top})`);
      const down = svg.append("g").attr("class", "scale").attr("transform", `translate(${left} 0)`);
      const unit = (axis) => numeric ? `${axis} rank` : axis;
      svg.append("text").attr("x", left + width / 2).attr("y", 14).attr("text-anchor", "middle")
        .attr("font-size", 12).text(unit(data.column_axis));
      svg.append("text").attr("transform", `translate(12 ${top + height / 2}) rotate(-90)`)
        .attr("text-anchor", "middle").attr("font-size", 12).text(unit(data.row_axis));
      moved = (to) => {
        inside.attr("transform", to);
        across.call(sideAxis(d3.axisTop, data.columns, to.rescaleX(x), width, true));
        down.call(sideAxis(d3.axisLeft, data.rows, to.rescaleY(y), height, false));
      };
    } else if (data.row_axis || data.column_axis) {
      inside.append("text").attr("x", panels[0].x).attr("y", panels[0].title ? 22 : panels[0].y - 8)
        .attr("font-size", 12).text(`${data.column_axis} \u2192`);
      if (data.row_axis) inside.append("text").attr("font-size", 12).attr("text-anchor", "end")
        .attr("transform", `translate(${panels[0].x - 10} ${panels[0].y}) rotate(-90)`)
        .text(`\u2190 ${data.row_axis}`);
    }
    const zoom = page.zoom(svg, picture.closest("figure").dataset.kind,
      [[left, top], [left + width, top + height]], 40, moved);
    moved(d3.zoomIdentity);

    const starts = [0];
    for (const panel of panels) starts.push(starts[starts.length - 1] + panel.columns * panel.rows);
    const find = (i) => {
      let p = 0;
      while (i >= starts[p + 1]) ++p;
      return [p, i - starts[p]];
    };
    const place = (cell, p) => ({x: places[p].x + (cell % panels[p].columns) * side,
      y: places[p].y + Math.floor(cell / panels[p].columns) * side});
    const what = (p, c) => {
      const panel = panels[p];
      const title = panel.title ? `${panel.title}, ` : "";
      if (panel.names) return `${title}${panel.names[c] || "no link"}`;
      const joint = data.unit === "bytes" ? " \u2192 " : ", ";
      return `${title}${data.rows[Math.floor(c / panel.columns)]}${joint}${data.columns[c % panel.columns]}`;
    };
    const columns = panels[0].columns;
    return {
      size: starts[starts.length - 1],
      zoom,
      at: (event) => {
        const [x, y] = page.inside(inside.node(), event);
        for (const [p, panel] of panels.entries()) {
          const column = Math.floor((x - places[p].x) / side), row = Math.floor((y - places[p].y) / side);
          if (column >= 0 && column < panel.columns && row >= 0 && row < panel.rows)
            return starts[p] + row * panel.columns + column;
        }
        return -1;
      },
      step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns},
      mark: (i) => {
        const [p, c] = find(i);
        const {x, y} = place(c, p);
        cursor.attr("visibility", "visible").attr("x", x).attr("y", y).attr("width", side).attr("height", side);
      },
      say: (i) => {
        const [p, c] = find(i);
        if (panels[p].names && !panels[p].names[c]) return what(p, c);
        if (!after) return `${what(p, c)}: ${page.text(value(p, c), data.unit)}`;
        return `${what(p, c)}: ${page.text(values[p].get(c) || 0, data.unit)} before, ` +
          `${page.text(after[p].get(c) || 0, data.unit)} after, ${page.signed(value(p, c), data.unit)}`;
      },
      place: (cell) => place(cell, 0),
      // In a matrix of single ranks a row is a rank.
      pick: (i) => {
        const name = single ? data.rows[Math.floor(i / columns)] : "";
        const rank = /^rank (\d+)$/.exec(name) || /^[^\u2026]* \(rank (\d+)\)$/.exec(name);
        return rank ? {rank: +rank[1]} : null;
      },
      cellOf: (row, column) => row * columns + column,
      columns,
      side,
      marks,
      csv: () => {
        const rows = [["where", ...(after ? ["before", "after"] : []), data.unit]];
        panels.forEach((panel, p) => {
          for (let c = 0; c < panel.columns * panel.rows; ++c)
            if (value(p, c) !== 0 || (after && values[p].get(c)))
              rows.push([what(p, c), ...(after ? [values[p].get(c) || 0, after[p].get(c) || 0] : []), value(p, c)]);
        });
        return rows;
      },
    };
  };
  // Position of an event in the coordinates of an element.
  page.inside = (element, event) => {
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(element.getScreenCTM().inverse());
    return [point.x, point.y];
  };
})();
