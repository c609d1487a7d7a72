// The network: cables in the colour of their busier direction, what is picked before the rest.
(() => {
  const network = page.network;
  const cables = network.cables || [];
  const zero = [0, 0, 0];
  // Loads of all cables of a row: per cable bytes, flows and seconds of one or two directions.
  const loadsOf = (row) => {
    const loads = cables.map((cable) => cable.names.map(() => zero));
    for (const [c, ...directions] of network.rows[row].loads) loads[c] = directions;
    return loads;
  };
  const busy = (directions) => Math.max(...directions.map((d) => d[2]));

  // Where vertices without a position come to lie: levels one above the other, groups around a
  // circle, else where forces lead them. d3's forces start from the same places each time.
  const place = () => {
    const nodes = network.vertices.map((v) => ({...v}));
    const byId = new Map(nodes.map((v) => [v.id, v]));
    const parts = [...new Set(nodes.map((v) => v.part).filter((p) => p !== undefined))].sort((a, b) => a - b);
    const named = network.parts.length > 0;
    const size = 130 + 34 * Math.sqrt(nodes.length);
    const links = cables.map((c) => ({source: byId.get(c.from), target: byId.get(c.to)}));
    if (named) {
      // Hosts stay with the group of their router.
      for (const {source, target} of links) {
        if (source.part === undefined && source.host) source.part = target.part;
        if (target.part === undefined && target.host) target.part = source.part;
      }
    }
    const angle = (part) => 2 * Math.PI * parts.indexOf(part) / Math.max(parts.length, 1) -
      (parts.length === 2 ? Math.PI : Math.PI / 2);
    const radius = (parts.length === 2 ? 0.4 : 0.62) * size;
    const middle = (v) => v.part === undefined || parts.length < 2 ? [0, 0]
      : [radius * Math.cos(angle(v.part)), radius * Math.sin(angle(v.part))];
    const roomy = nodes.length <= 40 ? 3 : 1;  // vertices have their names beside them
    const same = (l) => l.source.part === l.target.part;
    const simulation = d3.forceSimulation(nodes).stop()
      .force("links", d3.forceLink(links).distance((l) => roomy * (l.source.host || l.target.host ? 14 : 34))
        .strength((l) => named && !same(l) ? 0.01 : 0.6))
      .force("apart", d3.forceManyBody().strength(-45 * roomy).distanceMax(roomy * size));
    if (named) {
      simulation.force("x", d3.forceX((v) => middle(v)[0]).strength(0.12))
        .force("y", d3.forceY((v) => middle(v)[1]).strength(0.12));
    } else if (parts.length > 0) {
      const rows = Math.max(d3.max(parts), 1);
      for (const v of nodes) v.fy = (0.5 - v.part / rows) * size;
      simulation.force("x", d3.forceX(0).strength(0.004));
    } else {
      simulation.force("x", d3.forceX(0).strength(0.05)).force("y", d3.forceY(0).strength(0.05));
    }
    simulation.tick(nodes.length > 300 ? 120 : 300);
    if (named && parts.length > 1) gather(parts.map((part) => nodes.filter((v) => v.part === part)));
    const margin = 40;
    const [left, right] = d3.extent(nodes, (v) => v.x), [top, bottom] = d3.extent(nodes, (v) => v.y);
    for (const v of nodes) {
      v.x += margin - left;
      v.y += margin - top;
    }
    network.width = right - left + 2 * margin;
    network.height = bottom - top + 2 * margin;
    if (named && parts.length > 0)
      for (const part of parts) {
        const mine = nodes.filter((v) => v.part === part);
        network.texts.push([d3.mean(mine, (v) => v.x), d3.min(mine, (v) => v.y) - 10, network.parts[part], true]);
      }
    network.vertices = nodes;
    const number = new Map();  // of parallel cables
    for (const cable of cables) {
      const a = byId.get(cable.from), b = byId.get(cable.to);
      const key = `${Math.min(a.id, b.id)} ${Math.max(a.id, b.id)}`;
      const n = number.get(key) || 0;
      number.set(key, n + 1);
      const sign = a.id < b.id ? 1 : -1, length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      const dx = -sign * 4 * n * (b.y - a.y) / length, dy = sign * 4 * n * (b.x - a.x) / length;
      cable.path = `M${(a.x + dx).toFixed(1)} ${(a.y + dy).toFixed(1)}L${(b.x + dx).toFixed(1)} ${(b.y + dy).toFixed(1)}`;
    }
    network.placed = true;
  };

  // Moves groups towards the middle, or from it, until the nearest two stand a little apart.
  const gather = (groups) => {
    const discs = groups.map((mine) => {
      const x = d3.mean(mine, (v) => v.x), y = d3.mean(mine, (v) => v.y);
      return {x, y, radius: d3.max(mine, (v) => Math.hypot(v.x - x, v.y - y)), mine};
    });
    const gap = 0.6 * d3.mean(discs, (disc) => disc.radius) + 30;
    const factor = d3.max(discs, (a, i) => d3.max(discs.slice(0, i), (b) =>
      (a.radius + b.radius + gap) / Math.hypot(a.x - b.x, a.y - b.y)));
    for (const {x, y, mine} of discs)
      for (const v of mine) {
        v.x += (factor - 1) * x;
        v.y += (factor - 1) * y;
      }
  };

  page.drawLinks = (picture, title, data, other) => {
    if (!network.placed) place();
    const loads = loadsOf(data.row), after = other ? loadsOf(other.row) : null;
    const value = (c) => after ? busy(after[c]) - busy(loads[c]) : busy(loads[c]);
    const most = after ? d3.max(d3.range(cables.length), (c) => Math.abs(value(c))) : data.most;
    const level = page.levelOf({least: 0, most, logarithmic: false});
    const classOf = (c) => after ? page.differenceClass(value(c), most) || "l0" : `l${level(value(c))}`;
    // The picture has the size of a chart; what was laid out is scaled into it.
    const width = 500, highest = 620, largest = 2;  // few vertices need not fill it
    // Names of rows stand left of them.
    const labels = network.texts.filter((t) => !t[3]);
    const room = labels.length > 0 ? 8 + 7 * d3.max(labels, (t) => t[2].length) : 0;
    const above = network.texts.some((t) => t[3]) ? 20 : 0;  // room for the names of the topmost parts
    const scale = Math.min((width - room) / network.width, (highest - above) / network.height, largest);
    const height = Math.max(network.height * scale + above, 120);
    const svg = page.svg(picture, width, height + 14 + page.legendHeight, title);
    const words = after ? "more or less time to carry the bytes" : "time to carry the bytes";
    if (after) page.differenceLegend(svg, 40, height + 12, 300, most, "seconds", words);
    else page.levelLegend(svg, 40, height + 12, 300, {least: 0, most, unit: "seconds"}, words);
    const inside = page.window(svg, 0, 0, width, height);
    const drawn = inside.append("g").attr("transform",
      `translate(${(width + room - network.width * scale) / 2} ${above + (height - above - network.height * scale) / 2}) scale(${scale})`);
    const stroke = (cables.length > 800 ? 1.6 : cables.length > 250 ? 2.2 : 3) * Math.min(1, 1.5 / scale);
    const order = d3.range(cables.length).sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)) || a - b);
    const placeOf = new Map(order.map((cable, at) => [cable, at]));
    const g = drawn.append("g").attr("class", "cables").attr("fill", "none")
      .attr("stroke-linecap", "round").attr("stroke-width", stroke);
    const paths = new Map();
    for (const c of [...order].reverse())
      paths.set(c, g.append("path").attr("class", classOf(c)).attr("data-i", c).attr("d", cables[c].path));
    const over = drawn.append("g").attr("class", "cables over").attr("fill", "none")
      .attr("stroke-linecap", "round").attr("pointer-events", "none");
    const used = new Set([data, ...(other ? [other] : [])].flatMap((d) => network.rows[d.row].hosts));
    const circle = (v) => Math.min(v.host ? 3.4 : 2.6, 3.4 / Math.sqrt(cables.length / 300),
      30 / Math.sqrt(network.vertices.length)) / scale;
    const dots = drawn.append("g").selectAll("circle").data(network.vertices).enter().append("circle")
      .attr("class", (v) => v.host && used.has(v.id) ? "vertex host" : "vertex")
      .attr("cx", (v) => v.x).attr("cy", (v) => v.y).attr("r", circle);
    const letters = 12 / scale;
    const taken = [];  // what the words so far cover
    drawn.selectAll("text.name").data(labels).enter().append("text").attr("class", "name")
      .attr("x", -6 / scale).attr("y", (t) => t[1]).attr("text-anchor", "end")
      .attr("font-size", letters).text((t) => t[2]);
    drawn.selectAll("text.part").data(network.texts.filter((t) => t[3])).enter().append("text")
      .attr("class", "part").attr("x", (t) => t[0]).attr("y", (t) => t[1] - 4 / scale)
      .attr("text-anchor", "middle").attr("font-size", letters).text((t) => t[2])
      // Words of a row that would lie one over the other are left out; the pointer has their names.
      .filter((t) => {
        const half = 0.28 * letters * t[2].length;
        const covers = ([x, y, other]) => Math.abs(t[1] - y) < letters && Math.abs(t[0] - x) < half + other;
        if (taken.some(covers)) return true;
        taken.push([t[0], t[1], half]);
        return false;
      }).attr("visibility", "hidden");

    const named = 40;
    if (network.texts.length === 0 && network.vertices.length <= named)
      drawn.selectAll("text.vertexname").data(network.vertices).enter().append("text")
        .attr("class", "vertexname").attr("x", (v) => v.x + 6 / scale).attr("y", (v) => v.y - 5 / scale)
        .attr("font-size", letters).text((v) => v.name)
        .filter((v) => {
          const box = [v.x + 6 / scale, v.y - 5 / scale - 0.8 * letters, 0.66 * letters * v.name.length, letters];
          const [x, y, w, h] = box;
          const beyond = (x + w) * scale > width - room || taken.some(([a, b, c, d]) =>
            x < a + c && a < x + w && y < b + d && b < y + h);
          if (!beyond) taken.push(box);
          return beyond;
        }).attr("visibility", "hidden");

    const zoom = page.zoom(svg, "links", [[0, 0], [width, height]], 40, (to) => inside.attr("transform", to));
    const at = (c) => {
      over.selectAll(".at").remove();
      over.append("path").attr("class", "at").attr("d", cables[c].path);
    };
    const said = (directions, i) =>
      `${page.bytes(directions[i][0])}, ${directions[i][1]} ${directions[i][1] === 1 ? "flow" : "flows"}, ` +
      page.seconds(directions[i][2]);
    return {
      size: order.length,
      zoom,
      at: (event) => {
        const i = event.target.dataset && event.target.dataset.i;
        return i === undefined ? -1 : placeOf.get(+i);
      },
      step: {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1},
      mark: (i) => at(order[i]),
      say: (i) => cables[order[i]].names.map((name, d) => `${name}: ${said(loads[order[i]], d)}` +
        (after ? ` before, ${said(after[order[i]], d)} after` : "")).join("; "),
      pick: (i) => ({cable: order[i]}),
      highlight: (ranks, chosen, row) => {
        over.selectAll(".picked").remove();
        const hosts = new Set();
        const known = network.rows[row].hosts;
        for (const r of ranks) if (known[r] !== undefined) hosts.add(known[r]);
        for (const c of chosen) over.append("path").attr("class", "picked").attr("d", cables[c].path);
        g.classed("dimmed", chosen.size > 0);
        dots.classed("picked", (v) => v.host && hosts.has(v.id))
          .attr("r", (v) => v.host && hosts.has(v.id) ? 2 * circle(v) : circle(v));
      },
      csv: () => {
        const rows = [["link", ...(after ? ["bytes_before", "bytes_after", "seconds_before", "seconds_after"]
          : ["bytes", "flows", "seconds"])]];
        cables.forEach((cable, c) => cable.names.forEach((name, d) => rows.push([name,
          ...(after ? [loads[c][d][0], after[c][d][0], loads[c][d][2], after[c][d][2]] : loads[c][d])])));
        return rows;
      },
    };
  };
})();
