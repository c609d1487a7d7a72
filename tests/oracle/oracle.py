#!/usr/bin/env python3
"""An oracle of its own for `vtopo compare`: random networks, routing rules, edits, interfaces, allocations,
traffic and placements. Routes, loads, max-min fair times and best placements are computed here from
their definitions and compared with what the command prints. Nothing of the project is used but the command.

usage: oracle.py VTOPO [CASES|SECONDSs [SEED]]   such as: oracle.py build/release/bin/vtopo 600s 7

Without a number 60 cases, or 600s if VTOPO_LONG_TESTS is set. The files of wrong cases are kept.
"""
import csv
import json
import math
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

sys.dont_write_bytecode = True
from edits import Endpoints, fail, scale_bandwidths  # noqa: E402
from groups import Dragonfly, DragonflyPlus, SlimFly  # noqa: E402
from loads import Listed, links_differ, wrong_balance, wrong_flow, wrong_ideal  # noqa: E402
from networks import FatTree, HyperX, Torus, Tree  # noqa: E402

MAX_PLACEMENTS = 20000  # by brute force; portfolio is exact up to 10^5


class Flows:
    """What a message between two hosts puts on links, kept for each pair; `listed` routes are taken where the rule
    leaves a choice."""

    def __init__(self, network, listed=None):
        self.network, self.known, self.listed = network, {}, listed

    def is_listed(self, a, b):
        places = self.network.places
        if self.listed is None or a // places == b // places:
            return False
        if self.network.rule in self.network.rules_of_loads:
            return True
        return any(not self.network.failed.isdisjoint(leg) for leg in self.network.legs(a, b))

    def between(self, a, b):
        if (a, b) not in self.known:
            listed = self.is_listed(a, b)
            legs = [self.listed.shares[a, b]] if listed else self.network.legs(a, b)
            shares, flows = defaultdict(float), defaultdict(int)
            for leg in legs:
                for name, share in leg.items():
                    shares[name] += share
                    flows[name] += 1
            links = self.network.links
            mean_hops = sum(share * links[name].hops for name, share in shares.items())
            detour = listed and self.network.rule not in self.network.rules_of_loads
            self.known[a, b] = (dict(shares), dict(flows), mean_hops if detour else self.network.hops(a, b), mean_hops,
                                sum(share * links[name].latency for name, share in shares.items()))
        return self.known[a, b]


def simulated_time(network, flows, edges, placement):
    """Rates of all unfinished flows rise together until a link is full, which fixes the rates of those
    that cross it; when a flow ends, all rates are found again."""
    running, latest = {}, 0.0
    for edge, (src, dst, volume) in enumerate(edges):
        if placement[src] != placement[dst]:
            running[edge] = [volume, *flows.between(placement[src], placement[dst])]
    now = 0.0
    while running:
        rates, left = {}, {}
        crossing = defaultdict(dict)
        for edge, flow in running.items():
            for name, share in flow[1].items():
                crossing[name][edge] = share
                left[name] = network.links[name].bandwidth
        level = 0.0
        while len(rates) < len(running):
            weight = {name: sum(share for edge, share in by.items() if edge not in rates)
                      for name, by in crossing.items()}
            rise = min(left[name] / total for name, total in weight.items() if total > 0)
            level += rise
            full = set()
            for name, total in weight.items():
                if total > 0:
                    left[name] -= rise * total
                    if left[name] <= 1e-11 * network.links[name].bandwidth:
                        full.add(name)
            for edge, flow in running.items():
                if edge not in rates and not full.isdisjoint(flow[1]):
                    rates[edge] = level
        step = min(flow[0] / rates[edge] for edge, flow in running.items())
        now += step
        for edge in list(running):
            flow = running[edge]
            flow[0] -= step * rates[edge]
            if flow[0] <= 1e-9 * edges[edge][2]:
                latest = max(latest, now + flow[5])
                del running[edge]
    return latest


def evaluate(network, flows, edges, placement):
    """The row of a report, and {link: (bytes, flows, seconds)}."""
    bytes_on, flows_on, leaving = defaultdict(float), defaultdict(int), defaultdict(int)
    row = defaultdict(float, edges=len(edges), total_bytes=sum(edge[2] for edge in edges))
    dilations = []
    for src, dst, volume in edges:
        a, b = placement[src], placement[dst]
        if a == b:
            dilations.append(0)
            row["intra_host_bytes"] += volume
            continue
        shares, counts, hops, mean_hops, _ = flows.between(a, b)
        leaving[a] += 1
        dilations.append(hops)
        row["hop_bytes"] += volume * mean_hops
        for name, share in shares.items():
            bytes_on[name] += volume * share
            flows_on[name] += counts[name]
    links = {name: (load, flows_on[name], load / network.links[name].bandwidth)
             for name, load in bytes_on.items()}
    loads, numbers, seconds = zip(*links.values()) if links else ([0.0], [0], [0.0])
    row.update(max_dilation=max(dilations), mean_dilation=sum(dilations) / len(edges),
               max_link_load=max(loads), mean_link_load=sum(loads) / len(network.links),
               max_flows_per_link=max(numbers), max_congestion=max(seconds),
               mean_congestion=sum(seconds) / len(seconds),
               jsum=sum(leaving.values()), jmax=max(leaving.values(), default=0),
               makespan=simulated_time(network, flows, edges, placement))
    for key in ("intra_host_bytes", "hop_bytes"):
        row[key] += 0.0
    return dict(row), links


def best_value(network, flows, edges, ranks, slots, objective):
    """The least hop-bytes, or seconds of the busiest link, over all placements of the ranks in the slots."""
    by_rank = [[edge for edge in edges if max(edge[0], edge[1]) == rank] for rank in range(ranks)]
    hosts, free, placement = list(slots), dict(slots), []
    best = math.inf

    def place(rank, value, loads):
        nonlocal best
        if value >= best:
            return
        if rank == ranks:
            best = value
            return
        for host in hosts:
            if free[host] == 0:
                continue
            placement.append(host)
            free[host] -= 1
            now, then = value, dict(loads)
            for src, dst, volume in by_rank[rank]:
                if placement[src] == placement[dst]:
                    continue
                shares, _, _, mean_hops, _ = flows.between(placement[src], placement[dst])
                if objective == "hop-bytes":
                    now += volume * mean_hops
                    continue
                for name, share in shares.items():
                    then[name] = then.get(name, 0.0) + volume * share / network.links[name].bandwidth
                    now = max(now, then[name])
            place(rank + 1, now, then)
            free[host] += 1
            placement.pop()

    place(0, 0.0, {})
    return best


def random_case(rng, folder):
    """Writes its files; returns what `wrong_figure` needs, and the options."""
    network = rng.choice([Torus, Torus, FatTree, HyperX, Dragonfly, Dragonfly, DragonflyPlus, SlimFly, Tree])(rng)
    if rng.random() < 0.35:
        network = Endpoints(rng, network)
    if rng.random() < 0.4:
        scale_bandwidths(rng, network)
    small = rng.random() < 0.5
    most = min(network.num_hosts, 7 if small else 24)
    hosts = rng.sample(range(network.num_hosts), rng.randint(min(2, most), most))
    per_host = rng.choice([1, 1, 2, 3])
    slots = {host: rng.randint(1, per_host) for host in hosts}
    places = [(host, slot) for host in hosts for slot in range(slots[host])]
    ranks = rng.randint(2, min(len(places), 6 if small else 40)) if len(places) > 1 else 1
    volumes = rng.choice([[1 << 20], [1000, 2000, 3000], [1, 77777, 1234567, 1 << 30]])
    pairs = [(a, b) for a in range(ranks) for b in range(ranks) if a != b or rng.random() < 0.1]
    rng.shuffle(pairs)
    edges = [(a, b, rng.choice(volumes)) for a, b in sorted(pairs[: rng.randint(1, 3 * ranks)])]
    write(folder, "traffic.csv", ["src", "dst", "bytes"], edges)
    placements = {"block": [host for host, _ in places[:ranks]]}
    for i in range(3):
        taken = rng.sample(places, ranks)
        name = os.path.join(folder, f"placement-{i}.csv")
        write(folder, name, ["rank", "host", "slot"],
              [(rank, network.host_name(host), slot) for rank, (host, slot) in enumerate(taken)])
        placements["file:path=" + name] = [host for host, _ in taken]
    failed = False
    if rng.random() < 0.3 and network.rule != "valiant" and not (network.rule == "adaptive" and network.has_detours):
        failed = fail(rng, network, hosts)
    choice = failed or network.rule in network.rules_of_loads  # among routes
    objective = None
    if not choice and ranks <= 6 and math.perm(len(places), ranks) <= MAX_PLACEMENTS:
        objective = rng.choice(["hop-bytes", "max-congestion"])
    ideal = network.rule == "ideal" or rng.random() < 0.1
    options = ["--traffic", os.path.join(folder, "traffic.csv"), "--ranks", str(ranks), "--network", network.spec,
               *network.options, "--routing", network.rule, "--hosts", "list:" + ",".join(map(str, hosts)),
               "--slots", ",".join(str(slots[host]) for host in hosts), *(["--ideal"] if ideal else [])]
    if objective:
        options += ["--objective", objective]
    options += ["--mapper", ",".join([*placements, *(["portfolio"] if objective else [])]),
                "--top-links", "100000", "-o", os.path.join(folder, "report.json")]
    return network, edges, slots, placements, ranks, objective, options


def write(folder, name, heading, lines):
    with open(os.path.join(folder, name), "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *lines])


def differs(ours, theirs, tolerance=1e-9):
    return theirs is None or abs(ours - theirs) > tolerance * max(abs(ours), abs(theirs))


def wrong_figure(case, report):
    """What is wrong first, or nothing."""
    network, edges, slots, placements, ranks, objective, _ = case
    rows = report["rows"]
    if len(rows) != len(placements) + (objective is not None):
        return f"{len(rows)} rows"
    problem = links_differ(network, report["evidence"])
    if problem:
        return problem
    for number, ((mapper, placement), row) in enumerate(zip(placements.items(), rows)):
        flows = Flows(network, Listed(report["evidence"], number))
        problem = wrong_routes(flows, edges, placement, row) or wrong_row(flows, edges, placement, row)
        if problem:
            return f"{mapper}: {problem}"
    if objective:
        best = best_value(network, Flows(network), edges, ranks, slots, objective)
        found = rows[-1][objective.replace("-", "_")]
        if differs(best, found):
            return f"portfolio: {objective} is {found}, the best of all placements has {best}"
    return None


def wrong_row(flows, edges, placement, row):
    ours, links = evaluate(flows.network, flows, edges, placement)
    for key, value in ours.items():
        if differs(value, row[key], 1e-7 if key == "makespan" else 1e-9):
            return f"{key} is {row[key]}, expected {value}"
    theirs = {link["name"]: (link["bytes"], link["flows"], link["seconds"]) for link in row["top_links"]}
    for name in sorted(links.keys() | theirs.keys()):
        if name not in links or name not in theirs or any(map(differs, links[name], theirs[name])):
            return f"link {name} has {theirs.get(name)}, expected {links.get(name)}"
    return None


def wrong_routes(flows, edges, placement, row):
    """Of routes among which the rule leaves a choice."""
    network, volumes, loads = flows.network, defaultdict(float), defaultdict(float)
    for src, dst, volume in edges:
        a, b = placement[src], placement[dst]
        if a == b:
            continue
        problem = wrong_flow(network, flows.listed, a, b) if flows.is_listed(a, b) else None
        if problem:
            return problem
        if a // network.places != b // network.places:
            volumes[a, b] += volume
        for name, share in flows.between(a, b)[0].items():
            loads[name] += share * volume
    problem = None
    if network.rule == "adaptive" and volumes:
        problem = wrong_balance(network, volumes, flows.listed, loads)
    if row.get("ideal_congestion") is not None:
        problem = problem or wrong_ideal(network, volumes, loads, row)
    return problem


def is_wrong(vtopo, seed, number_of_case, folder):
    """Runs a case and reports what is wrong with it."""
    case = random_case(random.Random(f"{seed}-{number_of_case}"), folder)
    command = [vtopo, "compare", *case[-1]]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        if "file" in report["evidence"]:
            with open(os.path.join(folder, report["evidence"]["file"]), encoding="utf-8") as file:
                report["evidence"] = json.load(file)
        problem = wrong_figure(case, report)
    else:
        problem = f"exit code {run.returncode}: {run.stderr.strip()}"
    if problem:
        print(f"seed {seed}, case {number_of_case}: {problem}: {shlex.join(command)}", flush=True)
    return bool(problem)


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    vtopo = sys.argv[1]
    budget = sys.argv[2] if len(sys.argv) > 2 else "600s" if os.environ.get("VTOPO_LONG_TESTS") else "60"
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    start, cases, wrong = time.monotonic(), 0, 0
    while time.monotonic() - start < float(budget[:-1]) if budget.endswith("s") else cases < int(budget):
        folder = tempfile.mkdtemp(prefix="vtopo-oracle-")
        failed = is_wrong(vtopo, seed, cases, folder)
        if not failed:
            shutil.rmtree(folder)
        cases, wrong = cases + 1, wrong + failed
    print(f"{cases} cases, {wrong} wrong")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
