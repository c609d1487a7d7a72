// What ranks do when: a lane for each, local work, messages and waiting in three colours.
(() => {
  const kinds = ["computing", "transferring", "waiting"];
  const words = ["local work", "message on its way", "waiting for others"];
  // Of a difference before above after, each in half of its lane.
  page.drawRanks = (picture, title, data, other) => {
    const count = data.ranks.length, wide = picture.closest("main.wide") !== null;
    const lane = Math.max(other ? 9 : 5, Math.min(16, (wide ? 480 : 360) / count));
    const left = 64, top = 30, width = wide ? 1060 : 420, high = lane * count, end = top + high;
    const read = (from, half) => from.spans.map(([l, k, begin, stop]) =>
      [l, k, begin * from.tick, stop * from.tick, half]);
    const spans = other ? [...read(data, 0), ...read(other, 1)] : read(data, 0);
    const half = lane / (other ? 2 : 1);
    const svg = page.svg(picture, left + width + 24, end + 48, title);
    const key = svg.append("g").attr("font-size", 12);
    words.forEach((name, k) => {
      const at = left + (wide ? 190 * k : [0, 104, 254][k]);
      key.append("rect").attr("class", `span ${kinds[k]}`).attr("x", at).attr("y", 5)
        .attr("width", 14).attr("height", 12);
      key.append("text").attr("x", at + 20).attr("y", 15).text(name);
    });
    const x = d3.scaleLinear().domain([0, data.most]).range([left, left + width]);
    let scale = x;
    const below = svg.append("g").attr("class", "scale").attr("transform", `translate(0 ${end})`);
    svg.append("text").attr("x", left + width / 2).attr("y", end + 40).attr("text-anchor", "middle")
      .attr("font-size", 12).text(page.withUnit("time", data.most, "seconds"));
    svg.append("text").attr("transform", `translate(14 ${top + high / 2}) rotate(-90)`)
      .attr("text-anchor", "middle").attr("font-size", 12).text(other ? "rank, before above after" : "rank");
    const every = Math.ceil(14 / lane);
    svg.append("g").attr("font-size", 11).selectAll("text")
      .data(d3.range(0, count, every)).enter().append("text").attr("x", left - 7)
      .attr("text-anchor", "end").attr("y", (i) => top + i * lane + lane / 2 + 4).text((i) => data.ranks[i]);
    const inside = page.window(svg, left, top, width, high);
    const gap = lane > 7 ? 1 : 0.4;
    const drawn = inside.selectAll("rect").data(spans).enter().append("rect")
      .attr("class", (s) => `span ${kinds[s[1]]}`).attr("y", (s) => top + s[0] * lane + s[4] * half + (s[4] ? 0 : gap / 2))
      .attr("height", half - (other ? gap / 2 : gap));
    const marks = inside.append("g");
    const cursor = inside.append("rect").attr("class", "cursor").attr("visibility", "hidden");
    let at = -1;
    const mark = (i) => {
      at = i;
      const s = spans[i];
      cursor.attr("visibility", "visible").attr("x", scale(s[2])).attr("y", top + s[0] * lane + s[4] * half)
        .attr("width", Math.max(scale(s[3]) - scale(s[2]), 1)).attr("height", half);
    };
    const zoom = page.zoom(svg, "ranks", [[left, top], [left + width, end]], 2000, (to) => {
      scale = to.rescaleX(x);
      drawn.attr("x", (s) => scale(s[2])).attr("width", (s) => Math.max(scale(s[3]) - scale(s[2]), 0.3));
      below.call(page.roundAxis(d3.axisBottom, scale, data.most, "seconds", wide ? 9 : 5));
      if (at >= 0) mark(at);
    });
    zoom.reset();
    const starts = d3.range(lane / half * count).map(() => []);  // spans of each line, by their beginning
    spans.forEach((s, i) => starts[lane / half * s[0] + s[4]].push(i));
    const begin = d3.bisector((i) => spans[i][2]).right;
    return {
      size: spans.length,
      zoom,
      at: (event) => {
        const [px, py] = page.inside(inside.node(), event);
        const mine = starts[Math.floor((py - top) / half)];
        if (!mine) return -1;
        const time = scale.invert(px), n = begin(mine, time) - 1;
        return n >= 0 && spans[mine[n]][3] >= time ? mine[n] : -1;
      },
      step: {ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1},
      mark,
      say: (i) => {
        const [l, k, from, to, later] = spans[i];
        return `rank ${data.ranks[l]}${other ? later ? " after" : " before" : ""}: ${words[k]}, ${page.seconds(from)} to ${page.seconds(to)}, ${page.seconds(to - from)}`;
      },
      pick: (i) => ({rank: data.ranks[spans[i][0]]}),
      highlight: (ranks) => {
        const lanes = d3.range(count).filter((l) => ranks.has(data.ranks[l]));
        const all = marks.selectAll("rect").data(lanes);
        all.exit().remove();
        all.enter().append("rect").attr("class", "pickedcell").merge(all).attr("x", left)
          .attr("width", width).attr("y", (l) => top + l * lane).attr("height", lane);
      },
      csv: () => [["rank", "doing", "begin_seconds", "end_seconds", ...(other ? ["of"] : [])],
        ...spans.map(([l, k, from, to, later]) => [data.ranks[l], kinds[k], from, to,
          ...(other ? [later ? "after" : "before"] : [])])],
    };
  };
})();
