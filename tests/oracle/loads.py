"""Routes that a report lists as evidence: whether they are such as the rule says, where the rule leaves a choice:
around failed links, `adaptive` and `ideal`."""
from collections import defaultdict

from networks import distances_to

STEEPNESS = 32  # of the cost of a link, its congestion to this power
MAX_LINKS = 160  # of the linear program


class Listed:
    """Routes of a row by hosts: {(a, b): {link: share}}."""

    def __init__(self, evidence, row):
        names = [link[0] for link in evidence["links"]]
        self.shares, self.inner = {}, {}  # of places, and between their hosts
        for a, b, _, links, *more in [*evidence["routes"], *evidence["rows"][row].get("routes", [])]:
            self.shares[a, b] = dict(zip((names[link] for link in links), more[0] if more else [1.0] * len(links)))


def links_differ(network, evidence):
    """Of all links, their names and kinds."""
    kinds = evidence["link_kinds"]
    theirs = {name: kinds[kind[0]] for name, _, _, *kind in evidence["links"]}
    for name in sorted(theirs.keys() ^ network.links.keys()):
        return f"link {name} is of one side only"
    for name, link in network.links.items():
        bandwidth, latency, hops = theirs[name][:3]
        ours = (link.bandwidth, link.latency, link.hops)
        if any(abs(x - y) > 1e-9 * x for x, y in zip(ours, (bandwidth, latency, hops))):
            return f"link {name} is {bandwidth, latency, hops}, expected {ours}"
    return None


def wrong_flow(network, listed, a, b):
    """As much reaches each vertex as leaves it; one route around failed links is a shortest one."""
    shares, nodes = dict(listed.shares.get((a, b), {})), (a // network.places, b // network.places)
    before, behind = network.ends(a, b)
    for name in (*before, *behind):
        if abs(shares.pop(name, 0.0) - 1) > 1e-9:
            return f"{a} to {b} does not take {name} as a whole"
    listed.inner[a, b] = shares
    source, target = map(network.vertex, nodes)
    balance = defaultdict(float)
    for name, share in shares.items():
        if name in network.inner.failed or network.links[name].tail is None or not 0 <= share <= 2:
            return f"{a} to {b} takes {share} of {name}"
        balance[network.links[name].tail] += share
        balance[network.links[name].head] -= share
    balance[source] -= 1
    balance[target] += 1
    if any(abs(value) > 1e-6 for value in balance.values()):
        return f"{a} to {b} is not a flow: {shares}"
    if not network.splits_flows():
        distance = network.distances_to_host(nodes[1])[source]
        if set(shares.values()) != {1.0} or len(shares) != distance:
            return f"{a} to {b} takes {sorted(shares)}, expected {distance} links"
    return None


def wrong_balance(network, volumes, listed, loads):
    """Under `adaptive`: parts of each pair, and what pairs could save by other ones."""
    inner = network.inner
    congestion = {name: load / inner.links[name].bandwidth for name, load in loads.items()}
    worst = max(congestion.values())
    cost = {name: (value / worst) ** STEEPNESS for name, value in congestion.items()}

    def price(shares):
        return sum(share * cost.get(name, 0.0) for name, share in shares.items())

    spent, saved = sum(load * cost[name] for name, load in loads.items()), 0.0  # those inside hosts spend, too
    for (a, b), volume in volumes.items():
        shares, nodes = listed.inner[a, b], (a // network.places, b // network.places)
        if inner.has_detours:
            choices = [joined(inner.legs_by(rule, *nodes)) for rule in ("ecmp", "valiant")]
            part = part_of_second(shares, *choices)
            if part is None:
                return f"{a} to {b} is not a mixture of ecmp and valiant: {shares}"
            least = min(map(price, choices))
        else:
            source, distance = inner.vertex(nodes[0]), inner.distances_to_host(nodes[1])
            if any(distance[inner.links[name].tail] != distance[inner.links[name].head] + 1 for name in shares):
                return f"{a} to {b} leaves shortest routes: {shares}"
            least = Legs(inner).to(inner.vertex(nodes[1]), cost)[source]
        saved += volume * (price(shares) - least)
    if saved > 0.0101 * spent:
        return f"flows of adaptive could save {saved / spent:.4f} of their cost"
    return None


def part_of_second(shares, first, second):
    """The part of the second in a mixture of two; nothing if it is not one."""
    names = first.keys() | second.keys() | shares.keys()
    differences = {name: second.get(name, 0.0) - first.get(name, 0.0) for name in names}
    most = max(names, key=lambda name: abs(differences[name]))
    part = (shares.get(most, 0.0) - first.get(most, 0.0)) / differences[most] if abs(differences[most]) > 1e-12 else 0.0
    fits = all(abs(shares.get(name, 0.0) - first.get(name, 0.0) - part * differences[name]) < 1e-8 for name in names)
    return part if fits and -1e-9 <= part <= 1 + 1e-9 else None


def joined(legs):
    shares = defaultdict(float)
    for leg in legs:
        for name, share in leg.items():
            shares[name] += share
    return dict(shares)


def wrong_ideal(network, volumes, loads, row):
    """The interval of a report against that of the linear program; links outside of the network have what they have."""
    found, bound = row["ideal_congestion"], row["ideal_congestion_bound"]
    if bound > found * (1 + 1e-9) or found > 1.0101 * bound:
        return f"ideal_congestion is {found}, certified {bound}"
    if network.rule == "ideal" and abs(found - row["max_congestion"]) > 1e-6 * found:
        return f"ideal_congestion is {found}, max_congestion {row['max_congestion']}"
    floor = max((load / network.links[name].bandwidth for name, load in loads.items()
                 if network.links[name].tail is None), default=0.0)
    program = IdealProgram(network.inner, {(a // network.places, b // network.places, a, b): volume
                                           for (a, b), volume in volumes.items()})
    if len(program.names) > MAX_LINKS or network.has_free_interfaces:
        return None
    least, reached = (max(floor, value) for value in program.interval())
    if found < least * (1 - 1e-6) or bound > reached * (1 + 1e-6):
        return f"ideal_congestion is {found}, certified {bound}, expected {least} to {reached}"
    return None


class Legs:
    """Shortest paths, of which the cheapest by prices of links."""

    def __init__(self, network):
        self.links, self.ends, self.into = network.working_links(), network.host_vertices(), {}

    def to(self, target, prices, ways=None):
        """{vertex: least price} of paths with the fewest links; `ways` takes the first link of each."""
        if target not in self.into:
            distance = distances_to(target, self.links, self.ends)
            order = [(distance[link.tail], name) for name, link in self.links.items()
                     if distance.get(link.tail, -1) == distance.get(link.head, -9) + 1
                     and (link.head == target or link.head not in self.ends)]
            self.into[target] = [name for _, name in sorted(order)]
        least = {target: 0.0}
        for name in self.into[target]:
            link = self.links[name]
            price = least[link.head] + prices.get(name, 0.0)
            if link.tail not in least or price < least[link.tail]:
                least[link.tail] = price
                if ways is not None:
                    ways[link.tail] = name
        return least


class IdealProgram:
    """The least largest congestion over shortest paths and pairs of such by way of one vertex: a linear program whose
    columns are made as prices call for them, by the revised simplex method. Routes of `ecmp` count as allowed for what
    no routing avoids."""

    def __init__(self, network, volumes):
        self.network, self.legs, self.middles = network, Legs(network), network.middles()
        ends = defaultdict(float)
        for (a, b, *_), volume in volumes.items():
            ends[a, b] += volume
        self.volumes = list(ends.values())
        self.pairs = [(network.vertex(a), network.vertex(b)) for a, b in ends]
        self.even = [joined(network.legs(a, b)) for a, b in ends] if network.splits_flows() else []
        self.names = list(self.legs.links)
        self.row = {name: i for i, name in enumerate(self.names)}

    def cheapest(self, prices):
        """Of each pair: price and links."""
        ways, least = {}, {}
        for target in {*self.middles, *(b for _, b in self.pairs)}:
            ways[target] = {}
            least[target] = self.legs.to(target, prices, ways[target])

        def path(a, b):
            while a != b:
                yield ways[b][a]
                a = self.legs.links[ways[b][a]].head

        found = []
        for a, b in self.pairs:
            by = [(least[m][a] + least[b][m], i) for i, m in enumerate(self.middles) if a in least[m] and m in least[b]]
            price, best = min([(least[b][a], -1), *by])
            middle = b if best < 0 else self.middles[best]
            found.append((price, [*path(a, middle), *path(middle, b)]))
        return found

    def column(self, pair, path):
        column = [0.0] * (len(self.names) + len(self.pairs))
        for name in path:
            column[self.row[name]] += self.volumes[pair] / self.network.links[name].bandwidth / self.scale
        column[len(self.names) + pair] = 1.0
        return column

    def interval(self):
        """What no routing avoids, and what one reaches."""
        links, pairs, self.scale = len(self.names), len(self.pairs), 1.0
        if not pairs:
            return 0.0, 0.0
        paths = [path for _, path in self.cheapest({})]
        loads = [sum(column) for column in zip(*(self.column(k, path) for k, path in enumerate(paths)))][:links]
        self.scale = max(loads)
        inverse, values, busiest = self.first_basis([self.column(k, path) for k, path in enumerate(paths)])
        avoided = 0.0
        for _ in range(3000):
            duals = inverse[busiest]  # the row of the congestion
            weights = [max(0.0, -dual) for dual in duals[:links]]
            found = self.cheapest({name: weight / self.network.links[name].bandwidth / self.scale
                                   for name, weight in zip(self.names, weights)})
            avoided = max(avoided, self.certified(found, weights))
            if values[busiest] <= avoided * (1 + 1e-9):
                break
            entering = self.entering_column(found, duals)
            if entering is None or not exchange(inverse, values, entering, busiest):
                break
        return avoided * self.scale, values[busiest] * self.scale

    def first_basis(self, columns):
        """A path of each pair, the congestion in the row of the busiest link, slacks in the others: its inverse and
        values."""
        links, pairs = len(self.names), len(self.pairs)
        loads = [sum(column[i] for column in columns) for i in range(links)]
        busiest = loads.index(max(loads))
        inverse = [[float(i == j) for j in range(links + pairs)] for i in range(links + pairs)]
        for i in range(links):
            inverse[i][busiest] = -1.0
            for k, column in enumerate(columns):
                inverse[i][links + k] = column[busiest] - (column[i] if i != busiest else 0.0)
        values = [loads[busiest] - load for load in loads] + [1.0] * pairs
        values[busiest] = loads[busiest]
        return inverse, values, busiest

    def certified(self, found, weights):
        """By duality, for the routes of `ecmp` too."""
        total = 0.0
        for k, (price, _) in enumerate(found):
            if self.even:
                price = min(price, sum(share * weights[self.row[name]] / self.network.links[name].bandwidth / self.scale
                                       for name, share in self.even[k].items()))
            total += self.volumes[k] * price
        return total / sum(weights)

    def entering_column(self, found, duals):
        links, best, entering = len(self.names), -1e-10, None
        for k, (price, path) in enumerate(found):
            reduced = self.volumes[k] * price - duals[links + k]
            if reduced < best:
                best, entering = reduced, (k, path)
        slack = max(range(links), key=lambda i: duals[i])
        if -duals[slack] < best:
            return [float(i == slack) for i in range(links + len(self.pairs))]
        return self.column(*entering) if entering else None


def exchange(inverse, values, entering, kept):
    """Takes a column into the basis; whether one left for it, never that of row `kept`."""
    filled = [i for i, value in enumerate(entering) if value]
    direction = [sum(row[i] * entering[i] for i in filled) for row in inverse]
    steps = [(values[i] / value, -value, i) for i, value in enumerate(direction) if value > 1e-9 and i != kept]
    if not steps:
        return False
    step, _, out = min(steps)
    for i, value in enumerate(direction):
        values[i] = max(0.0, values[i] - step * value)
    values[out] = step
    inverse[out] = [value / direction[out] for value in inverse[out]]
    for i, factor in enumerate(direction):
        if i != out and factor:
            inverse[i] = [x - factor * y for x, y in zip(inverse[i], inverse[out])]
    return True
