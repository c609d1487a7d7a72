// Bars (hops, finish of ranks), load of links from the lightest to the heaviest, and the timeline of
// phases, over axes; drag over a part of the lower axis to enlarge it.
(() => {
  const left = 64, top = 12, width = 420, height = 190, bottom = top + height;

  const axes = (picture, title, words, heights, unit, upright) => {
    const svg = page.svg(picture, left + width + 20, bottom + 48, title);
    const y = d3.scaleLinear().domain(heights).range([bottom, top]).nice(4);
    const most = d3.max(y.domain(), Math.abs);
    const grid = svg.append("g").attr("class", "scale grid").attr("transform", `translate(${left} 0)`);
    if (most > 0) grid.call(page.roundAxis(d3.axisLeft, y, most, unit, 4).tickSize(-width).tickPadding(6));
    svg.append("text").attr("transform", `translate(14 ${top + height / 2}) rotate(-90)`)
      .attr("text-anchor", "middle").attr("font-size", 12).text(page.withUnit(upright, most, unit));
    svg.append("text").attr("x", left + width / 2).attr("y", bottom + 40).attr("text-anchor", "middle")
      .attr("font-size", 12).text(words);
    const below = svg.append("g").attr("class", "scale").attr("transform", `translate(0 ${bottom})`);
    const inside = page.window(svg, left, top, width, height);
    return {svg, y, below, inside};
  };
  // Zoom along the lower axis; a part that is dragged over fills the picture.
  const zoomAlong = (svg, kind, x, redraw) => {
    const zoom = page.zoom(svg, kind, [[left, top], [left + width, bottom]], 64, (to) => redraw(to.rescaleX(x)));
    const brush = d3.brushX().extent([[left, top], [left + width, bottom]])
      .touchable(false).on("end", () => {
      if (!d3.event.selection || !d3.event.sourceEvent) return;
      const [low, high] = d3.event.selection;
      area.call(brush.move, null);
      if (high - low < 4) return;
      const now = d3.zoomTransform(svg.node());
      const [a, b] = [now.invertX(low), now.invertX(high)];
      const k = Math.min(width / (b - a), 64);
      zoom.to(d3.zoomIdentity.translate(left - k * a, top * (1 - k)).scale(k));
    });
    const area = svg.append("g").attr("class", "brush").call(brush);
    area.on("dblclick.reset", () => {
      d3.event.stopPropagation();
      zoom.reset();
    });
    redraw(x);
    return zoom;
  };
  const label = (axis, name) => `${axis} ${name}`;

  page.drawBars = (picture, title, data, other) => {
    const count = data.values.length, each = data.per_bar || 1;
    const values = other ? data.values.map((v, i) => other.values[i] - v) : data.values;
    const extent = other ? [Math.min(0, d3.min(values)), Math.max(0, d3.max(values))] : [0, data.most];
    const counted = data.unit === "number";
    const {svg, y, below, inside} = axes(picture, title, data.axis, extent, data.unit,
      (counted ? "edges" : "finish") + (other ? ", after less before" : ""));
    const x = d3.scaleLinear().domain([0, count]).range([left, left + width]);
    let scale = x;
    if (other && extent[0] === extent[1])
      svg.append("text").attr("x", left + width / 2).attr("y", top + height / 2)
        .attr("text-anchor", "middle").text("no difference");
    const bars = inside.selectAll("rect").data(values).enter().append("rect")
      .attr("class", (v) => other ? (v < 0 ? "bar less" : "bar more") : "bar")
      .attr("y", (v) => Math.min(y(Math.max(v, 0)), y(0) - (v > 0 ? 1 : 0)))
      .attr("height", (v) => v === 0 ? 0 : Math.max(Math.abs(y(v) - y(0)), 1));
    const marks = inside.append("g");
    const cursor = inside.append("rect").attr("class", "cursor").attr("visibility", "hidden");
    let at = -1;
    const mark = (i) => {
      at = i;
      cursor.attr("visibility", "visible").attr("x", scale(i)).attr("y", top)
        .attr("width", scale(1) - scale(0)).attr("height", height);
    };
    let marked = [];
    const markBars = () => {
      const all = marks.selectAll("rect").data(marked);
      all.exit().remove();
      all.enter().append("rect").attr("class", "picked").merge(all)
        .attr("x", (i) => scale(i)).attr("width", scale(1) - scale(0)).attr("y", top).attr("height", height);
    };
    const zoom = zoomAlong(svg, picture.closest("figure").dataset.kind, x, (to) => {
      scale = to;
      const pitch = scale(1) - scale(0);
      const gap = pitch > 4 ? pitch * 0.1 : 0;
      bars.attr("x", (_, i) => scale(i) + gap).attr("width", pitch - 2 * gap);
      const [low, high] = scale.domain();
      const ticks = d3.ticks(low * each, high * each, 8).filter(Number.isInteger)
        .filter((t) => t < count * each);
      below.call(d3.axisBottom(scale).tickValues(ticks.map((t) => t / each + 0.5 / each))
        .tickFormat((v) => d3.format(",")(Math.round(v * each - 0.5))));
      if (at >= 0) mark(at);
      markBars();
    });
    return {
      size: count,
      zoom,
      at: (event) => Math.floor(scale.invert(page.inside(inside.node(), event)[0])),
      step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
      mark,
      say: (i) => label(data.axis, data.names[i]) + ": " + (other
        ? `${page.text(data.values[i], data.unit)} before, ${page.text(other.values[i], data.unit)} after`
        : page.text(data.values[i], data.unit)) +
        (counted && !other ? (data.values[i] === 1 ? " edge" : " edges") : ""),
      pick: (i) => data.axis === "rank" && each === 1 ? {rank: i} : null,
      highlight: (ranks) => {
        if (data.axis !== "rank") return;
        marked = [...new Set([...ranks].map((r) => Math.floor(r / each)))];
        markBars();
      },
      csv: () => [[data.axis, ...(other ? ["before", "after"] : [data.unit])],
        ...data.values.map((v, i) => [data.names[i], v, ...(other ? [other.values[i]] : [])])],
    };
  };

  // Phases one below the other, each from its first rank to its last; those that last longest where
  // there are many. Of a difference before above after.
  page.drawSpans = (picture, title, data, other) => {
    const lanes = 40, lane = other ? 22 : 15;
    const pairs = data.spans.map((span, i) => ({span, later: other ? other.spans[i] : null}));
    const shown = pairs.length <= lanes ? pairs : [...pairs]
      .sort((a, b) => (b.span.end - b.span.start) - (a.span.end - a.span.start)).slice(0, lanes)
      .sort((a, b) => a.span.start - b.span.start);
    const high = shown.length * lane, end = top + high;
    const longest = 26;
    const names = shown.map(({span: {name}}) => name.length > longest ? `${name.slice(0, longest - 1)}\u2026` : name);
    const side = Math.max(left, 12 + 6.2 * d3.max(names, (name) => name.length));
    const wide = left + width - side;
    const svg = page.svg(picture, left + width + 20, end + 48, title);
    const x = d3.scaleLinear().domain([0, data.most]).range([side, side + wide]);
    let scale = x;
    const below = svg.append("g").attr("class", "scale").attr("transform", `translate(0 ${end})`);
    const inside = page.window(svg, side, top, wide, high);
    svg.append("text").attr("x", side + wide / 2).attr("y", end + 40).attr("text-anchor", "middle")
      .attr("font-size", 12).text(page.withUnit("time", data.most, "seconds"));
    const every = Math.ceil(shown.length / 24);
    svg.append("g").attr("font-size", 11).selectAll("text").data(names.filter((_, i) => i % every === 0))
      .enter().append("text").attr("x", side - 6).attr("text-anchor", "end")
      .attr("y", (_, i) => top + i * every * lane + lane / 2 + 4)
      .text((name) => name);
    const bars = shown.flatMap(({span, later}, i) => [{at: i, span, name: later ? "bar more" : "bar",
      y: top + i * lane + 2, height: later ? lane / 2 - 2 : lane - 4}].concat(later ? [{at: i,
      span: later, name: "bar", y: top + i * lane + lane / 2, height: lane / 2 - 2}] : []));
    const drawn = inside.selectAll("rect").data(bars).enter().append("rect")
      .attr("class", (b) => b.name).attr("y", (b) => b.y).attr("height", (b) => b.height);
    const cursor = inside.append("rect").attr("class", "cursor").attr("visibility", "hidden");
    const zoom = page.zoom(svg, "timeline", [[side, top], [side + wide, end]], 200, (to) => {
      scale = to.rescaleX(x);
      drawn.attr("x", (b) => scale(b.span.start))
        .attr("width", (b) => Math.max(scale(b.span.end) - scale(b.span.start), 1));
      below.call(page.roundAxis(d3.axisBottom, scale, data.most, "seconds", 6));
    });
    zoom.reset();
    const said = (span) => `${page.seconds(span.start)} to ${page.seconds(span.end)}, ` +
      page.seconds(span.end - span.start);
    return {
      size: shown.length,
      zoom,
      at: (event) => Math.floor((page.inside(inside.node(), event)[1] - top) / lane),
      step: {ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1},
      mark: (i) => cursor.attr("visibility", "visible").attr("x", side).attr("width", wide)
        .attr("y", top + i * lane).attr("height", lane),
      say: (i) => `${shown[i].span.name}: ${said(shown[i].span)}` +
        (other ? ` before, ${said(shown[i].later)} after` : ""),
      csv: () => [["phase", "start_seconds", "end_seconds",
        ...(other ? ["start_seconds_after", "end_seconds_after"] : [])],
      ...pairs.map(({span, later}) => [span.name, span.start, span.end,
        ...(later ? [later.start, later.end] : [])])],
    };
  };

  // Steps: a point stands for the links around it.
  page.drawCurve = (picture, title, data, other) => {
    const {svg, y, below, inside} = axes(picture, title, "share of links, lightest to heaviest",
      [0, data.most], data.unit, "time to carry the bytes");
    const x = d3.scaleLinear().domain([0, 100]).range([left, left + width]);
    let scale = x;
    const curves = (other ? [["other", data.values], ["line", other.values]]
      : [["line", data.values]]).map(([name, values]) => ({values, path: inside.append("path")
      .attr("class", name).attr("fill", "none").attr("stroke-width", name === "line" ? 2 : 1.5)
      .attr("stroke-dasharray", name === "other" ? "5 4" : null)}));
    if (other) {
      const key = svg.append("g").attr("transform", `translate(${left + 12} ${top + 14})`);
      [["other", "before"], ["line", "after"]].forEach(([name, words], i) => {
        key.append("path").attr("class", name).attr("d", `M0 ${18 * i}h28`).attr("stroke-width", 2)
          .attr("stroke-dasharray", name === "other" ? "5 4" : null);
        key.append("text").attr("x", 36).attr("y", 18 * i + 4).text(words);
      });
    }
    const cursor = inside.append("rect").attr("class", "cursor").attr("visibility", "hidden");
    const count = data.values.length;
    let at = -1;
    const mark = (i) => {
      at = i;
      const pitch = 100 / count;
      cursor.attr("visibility", "visible").attr("x", scale(i * pitch)).attr("y", top)
        .attr("width", scale(pitch) - scale(0)).attr("height", height);
    };
    const zoom = zoomAlong(svg, picture.closest("figure").dataset.kind, x, (to) => {
      scale = to;
      for (const {values, path} of curves) {
        const pitch = 100 / values.length;
        path.attr("d", values.map((v, i) => `${i === 0 ? "M" : "L"}${scale(pitch * i).toFixed(1)} ` +
          `${y(v).toFixed(1)}H${scale(pitch * (i + 1)).toFixed(1)}`).join(""));
      }
      below.call(d3.axisBottom(scale).ticks(6).tickFormat((v) => `${v} %`));
      if (at >= 0) mark(at);
    });
    const share = (i) => `${(100 * (i + 1) / count).toFixed(1)} % of links carry at most`;
    return {
      size: count,
      zoom,
      at: (event) => Math.floor(scale.invert(page.inside(inside.node(), event)[0]) / 100 * count),
      step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
      mark,
      say: (i) => `${share(i)}: ${page.text(data.values[i], data.unit)}` +
        (other ? ` before, ${page.text(other.values[i], data.unit)} after` : ""),
      csv: () => [["share_of_links", ...(other ? ["before", "after"] : [data.unit])],
        ...data.values.map((v, i) => [(i + 1) / count, v, ...(other ? [other.values[i]] : [])])],
    };
  };
})();
