// Which rows are shown, what follows from it, and what is picked.
(() => {
  const report = page.report, network = page.network;
  const shown = new Map();  // figure id -> {row, other, things}
  const draw = {cells: page.drawCells, bars: page.drawBars, curve: page.drawCurve, spans: page.drawSpans, ranks: page.drawRanks, links: page.drawLinks};

  // The most of any cable in any row, so that pictures of links have one scale.
  const most = d3.max(Object.values(network.rows), (row) =>
    d3.max(row.loads, ([, ...directions]) => d3.max(directions, (d) => d[2]))) || 0;
  for (const row of Object.keys(network.rows))
    if (network.cables.length > 0) page.figures[`row-${row}-links`] = {kind: "links", data: {row: +row, most}};

  report.rows.forEach((row, r) => {
    const spans = (row.phases || []).filter((phase) => phase.end !== null && phase.end !== undefined);
    if (spans.length > 0)
      page.figures[`row-${r}-timeline`] = {kind: "spans", data: {spans,
        most: d3.max(report.rows, (other) => d3.max(other.phases, (phase) => phase.end))}};
  });

  const render = (figure, name, kind, data, other) => {
    figure.dataset.kind = name;
    const picture = figure.querySelector(".picture");
    picture.textContent = "";
    const things = draw[kind](picture, figure.querySelector("figcaption").textContent, data, other);
    page.equip(figure, other ? "difference" : figure.closest("[data-name]") ?
      figure.closest("[data-name]").dataset.name : "", things);
    return things;
  };
  const nameOf = (id) => id.replace(/^row-\d+-/, "");
  const rowOf = (id) => (/^row-(\d+)-/.exec(id) || [])[1];
  const show = (figure) => {
    if (shown.has(figure.id)) return;
    const {kind, data} = page.figures[figure.id];
    shown.set(figure.id, {row: rowOf(figure.id), things: render(figure, nameOf(figure.id), kind, data)});
  };

  page.things = (id) => shown.get(id).things;

  // What is picked: a cable, or ranks; the flows that belong to it light up in each picture.
  let picked = null;
  const panel = document.getElementById("picked");
  const block = (things) => Math.ceil(ranks / things.columns);
  const ranks = report.rows[0].ranks;
  const flowsOf = (row) => (network.rows[row].flows || []).filter((flow) => picked.cable !== undefined
    ? flow.indexOf(picked.cable, 3) >= 0 : flow[0] === picked.rank || flow[1] === picked.rank);
  const hostName = (row, rank) => network.hostNames[network.rows[row].hosts[rank]] || "?";
  const positionsByHost = (row) => {
    const hosts = network.rows[row].hosts;
    const order = d3.range(ranks).sort((a, b) => hosts[a] - hosts[b] || a - b);
    const positions = [];
    order.forEach((rank, at) => { positions[rank] = at; });
    return positions;
  };
  const light = () => {
    const rowsShown = new Set([...shown].filter(([id]) => {
      const figure = document.getElementById(id);
      return figure && figure.offsetParent !== null;
    }).map(([, s]) => s.row).filter((row) => row !== undefined));
    const lines = [];
    const flows = new Map();
    for (const row of rowsShown) flows.set(row, picked ? flowsOf(row) : []);
    for (const [id, {row, things}] of shown) {
      // Traffic in the order of ranks is the same under all mappers: the last row shown says.
      const from = row !== undefined ? row : [...rowsShown].pop();
      const mine = flows.get(from) || [];
      const lit = new Set(mine.flatMap((flow) => [flow[0], flow[1]]));
      const cables = new Set(mine.flatMap((flow) => flow.slice(3)));
      if (picked && picked.cable !== undefined) {
        cables.clear();
        cables.add(picked.cable);
      }
      if (picked && picked.rank !== undefined) lit.add(picked.rank);
      if (things.highlight) things.highlight(lit, picked ? cables : new Set(), from);
      if (!things.marks) continue;
      things.marks.selectAll("*").remove();
      if (!/traffic-by/.test(id)) continue;
      const positions = /by-host/.test(id) ? positionsByHost(from) : d3.range(ranks);
      const b = block(things);
      const cells = new Set(mine.map((flow) =>
        things.cellOf(Math.floor(positions[flow[0]] / b), Math.floor(positions[flow[1]] / b))));
      for (const cell of cells) {
        const {x, y} = things.place(cell);
        things.marks.append("rect").attr("class", "pickedcell").attr("x", x).attr("y", y)
          .attr("width", things.side).attr("height", things.side);
      }
    }
    panel.hidden = !picked;
    if (!picked) return;
    const input = document.getElementById("rank");
    if (input) input.value = picked.rank !== undefined ? picked.rank : "";
    for (const row of rowsShown) {
      const mine = [...flows.get(row)].sort((a, b) => b[2] - a[2]);
      const most = 12;
      const who = picked.rank !== undefined ? `rank ${picked.rank} on ${hostName(row, picked.rank)}`
        : network.cables[picked.cable].names.join(" and ");
      lines.push({words: `${report.rows[row].mapper}: ${who}: ${mine.length} ` +
        `${mine.length === 1 ? "flow" : "flows"}, ${page.bytes(d3.sum(mine, (flow) => flow[2]))}`,
      flows: mine.slice(0, most).map((flow) => `rank ${flow[0]} (${hostName(row, flow[0])}) \u2192 ` +
        `rank ${flow[1]} (${hostName(row, flow[1])}): ${page.bytes(flow[2])}`)
        .concat(mine.length > most ? [`and ${mine.length - most} more`] : [])});
    }
    panel.textContent = "";
    const root = d3.select(panel);
    root.append("h3").text(picked.rank !== undefined ? "Picked rank" : "Picked link");
    for (const {words, flows: list} of lines) {
      root.append("p").text(words);
      const ul = root.append("ul");
      for (const line of list) ul.append("li").text(line);
    }
    const close = root.append("button").attr("type", "button").text("nothing picked");
    close.on("click", () => page.choose(null));
  };
  page.choose = (what) => {
    if (what && what.rank !== undefined && !(what.rank >= 0 && what.rank < ranks)) return;
    const listed = Object.values(network.rows).some((row) => row.flows.length > 0);
    picked = what && (listed || what.rank !== undefined) ? what : null;
    light();
  };

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

  // Verdict and cards for the rows that are chosen.
  const choices = ["before", "after"].map((id) => document.getElementById(id)).filter(Boolean);
  const view = document.getElementById("view");
  const verdict = document.querySelector(".verdict");
  const first = {verdict: verdict.textContent, chosen: choices.map((c) => c.value).join()};
  const label = (choice) => choice.selectedOptions[0].textContent;
  const tell = () => {
    const [a, b] = choices.map((choice) => report.rows[choice.value]);
    const parts = [];
    for (const card of document.querySelectorAll(".tiles li")) {
      const {key, unit} = card.dataset;
      const [x, y] = [a[key], b[key]];
      card.hidden = x === null || y === null || x === undefined || y === undefined;
      if (card.hidden) continue;
      const change = page.change(x, y);
      card.querySelector("b").textContent = change;
      card.querySelector(".quiet").textContent = `${page.text(x, unit)} \u2192 ${page.text(y, unit)}`;
      parts.push(`${card.dataset.name} ${change}`);
    }
    const pair = document.querySelector(".pair");
    if (pair) pair.textContent = `From ${label(choices[0])} (before) to ${label(choices[1])} (after):`;
    verdict.textContent = choices.map((c) => c.value).join() === first.chosen ? first.verdict
      : `${label(choices[1])} against ${label(choices[0])}: ${parts.join(", ")}`;
  };

  const rows = [...document.querySelectorAll("#rows > .row")];
  const difference = document.getElementById("difference");
  const drawDifference = (before, after) => {
    for (const [id, s] of shown) if (s.difference) shown.delete(id);
    for (const figure of difference.querySelectorAll("figure")) figure.remove();
    const source = rows.find((row) => row.dataset.row === before);
    for (const figure of source.querySelectorAll("figure")) {
      const name = nameOf(figure.id);
      const [a, b] = [before, after].map((row) => page.figures[`row-${row}-${name}`]);
      if (!a || !b) continue;
      if (/traffic-by-host/.test(name)) continue;  // other ranks stand there
      const copy = figure.cloneNode(true);
      copy.id = `difference-${name}`;
      copy.dataset.difference = "";
      difference.append(copy);
      shown.set(copy.id, {row: after, difference: true,
        things: render(copy, name, a.kind, a.data, b.data)});
    }
  };
  const update = () => {
    const wanted = choices.map((choice) => choice.value);
    const different = view.value === "difference" && wanted[0] !== wanted[1];
    for (const row of rows) {
      row.hidden = different || !wanted.includes(row.dataset.row);
      if (row.hidden) continue;
      for (const figure of row.querySelectorAll("figure")) show(figure);
    }
    difference.hidden = !different;
    if (different) drawDifference(...wanted);
    wanted.forEach((value, order) => {
      const row = rows.find((r) => r.dataset.row === value);
      row.style.order = order;
    });
    tell();
    light();
  };
  if (choices.length > 0) {
    document.querySelector(".controls").hidden = false;
    for (const choice of [...choices, view]) choice.addEventListener("change", update);
  }
  const rank = document.getElementById("rank");
  if (rank) rank.addEventListener("change", () =>
    page.choose(rank.value === "" ? null : {rank: Math.round(+rank.value)}));
  for (const figure of document.querySelectorAll("main > figure")) show(figure);
  if (choices.length > 0) update();
  else for (const row of rows) row.querySelectorAll("figure").forEach(show);
  document.documentElement.classList.add("drawn");
})();
