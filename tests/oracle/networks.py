"""Networks with links by name and routes by their definitions, as random specifications of vtopo: what all have in
common, tori, HyperX, fat trees and trees. `groups.py` has networks of groups of routers."""
import math
from collections import defaultdict


class Link:
    def __init__(self, tail, head, bandwidth, latency, hops=1.0):
        self.tail, self.head = tail, head
        self.bandwidth, self.latency, self.hops = bandwidth, latency, hops


class Rates:
    """Bandwidth and latency of kinds of links, written as keys or as options."""

    def __init__(self, rng, kinds):
        speeds = ["10GBps", "1GBps", "2.5GBps", "7GBps", "100MBps"]
        delays = ["100ns", "1us", "30ns", "0s"]
        self.options, self.keys = [], ""
        default = (rng.choice(speeds), rng.choice(delays))
        self.options += ["--bandwidth", default[0], "--latency", default[1]]
        per_kind = []
        for name, values, fallback in (("bandwidth", speeds, default[0]), ("latency", delays, default[1])):
            if kinds > 0 and rng.random() < 0.4:
                chosen = [rng.choice(values) for _ in range(kinds)]
                self.keys += f",{name}=" + "/".join(chosen)
            else:
                chosen = [fallback] * kinds
            per_kind.append(chosen)
        self.default = (number(default[0]), number(default[1]))
        self.of_kind = [(number(b), number(t)) for b, t in zip(*per_kind)]


def number(text):
    """Bytes per second or seconds."""
    for unit, factor in (("GBps", 1e9), ("MBps", 1e6), ("ns", 1e-9), ("us", 1e-6), ("s", 1.0)):
        if text.endswith(unit):
            return float(text[: -len(unit)]) * factor
    raise ValueError(text)


class Network:
    """Links by name, and `legs(a, b)`: a list of {link: share of the flow} of hosts a and b; the rule valiant may have
    two legs, others have one. Under `adaptive` and `ideal`, what flows have without the others: that of `ecmp`."""

    rules_of_loads = ["adaptive", "ideal"]
    has_detours = True  # under the rule valiant

    def __init__(self):
        self.links, self.failed, self.spec, self.rule = {}, set(), "", "auto"
        self.options, self.per_router, self.has_host_links = [], 1, False
        self.inner, self.places, self.has_free_interfaces = self, 1, False  # as `Endpoints` has them

    def add(self, name, tail, head, rates, hops=1.0):
        self.links[name] = Link(tail, head, *rates, hops)

    def host_name(self, host):
        return f"host-{host}"

    def ends(self, a, b):
        return {}, {}

    def label(self, router):
        return f"r{router}"

    def add_host_links(self, rates):
        """A cable of each host to its router."""
        self.has_host_links = True
        self.num_hosts = self.num_routers * self.per_router
        for host in range(self.num_hosts):
            router = host // self.per_router
            self.add(f"host-{host}->{self.label(router)}", ("host", host), router, rates)
            self.add(f"{self.label(router)}->host-{host}", router, ("host", host), rates)

    def vertex(self, host):
        return ("host", host) if self.has_host_links else host

    def middles(self):
        """Vertices that a route may pass."""
        return sorted({link.head for link in self.all_links().values()} - self.host_vertices(), key=str)

    def host_vertices(self):
        """Those that pass nothing on."""
        return {self.vertex(host) for host in range(self.num_hosts)} if self.has_host_links else set()

    def splits_flows(self):
        return self.rule in ("split", "ecmp", *self.rules_of_loads)

    def legs(self, a, b):
        """Where flows split, those that meet a failed link split evenly over the shortest routes that are left."""
        legs = self.legs_by("ecmp" if self.rule in self.rules_of_loads else self.rule, a, b)
        if self.splits_flows() and any(not self.failed.isdisjoint(leg) for leg in legs):
            legs = [self.even_shares(self.vertex(a), self.vertex(b), self.working_links())]
        return legs

    def legs_by(self, rule, a, b):
        if a == b:
            return []
        if not self.has_host_links:
            return self.router_legs(rule, a, b, b)
        source, target = a // self.per_router, b // self.per_router
        legs = self.router_legs(rule, source, target, b) if source != target else [{}]
        legs[0] = {f"host-{a}->{self.label(source)}": 1.0, **legs[0]}
        legs[-1] = {**legs[-1], f"{self.label(target)}->host-{b}": 1.0}
        return legs

    def router_legs(self, rule, source, target, destination):
        """Of two routers, to a host."""
        if rule == "ecmp":
            return [self.even_shares(source, target)]
        if rule != "valiant":
            return [self.route(source, target, rule, destination)]
        legs = [defaultdict(float), defaultdict(float)]
        for middle in range(self.num_routers):
            for leg, ends in zip(legs, ((source, middle), (middle, target))):
                for link, share in self.leg_of_valiant(*ends).items():
                    leg[link] += share / self.num_routers
        return [dict(leg) for leg in legs]

    def leg_of_valiant(self, source, target):
        return self.route(source, target, "simgrid", target)

    def all_links(self):
        """Between two vertices: without interfaces and insides of hosts."""
        return {name: link for name, link in self.links.items() if link.tail is not None}

    def working_links(self):
        return {name: link for name, link in self.all_links().items() if name not in self.failed}

    def distances_to_host(self, host):
        return distances_to(self.vertex(host), self.working_links(), self.host_vertices())

    def even_shares(self, source, target, links=None):
        """At each vertex evenly over the next links of shortest routes."""
        links = self.all_links() if links is None else links
        distance = distances_to(target, links, self.host_vertices())
        arrived, shares = {source: 1.0}, {}
        for left in range(distance[source], 0, -1):
            further = defaultdict(float)
            for vertex, part in arrived.items():
                ahead = [(name, link.head) for name, link in links.items()
                         if link.tail == vertex and distance.get(link.head) == left - 1]
                for name, head in ahead:
                    shares[name] = part / len(ahead)
                    further[head] += part / len(ahead)
            arrived = further
        return shares

    def hops(self, a, b):
        """Of the shortest route that the flow may take."""
        if a == b:
            return 0
        if self.rule == "valiant":
            return self.distances_to_host(b)[self.vertex(a)]
        return round(sum(share * self.links[name].hops for name, share in self.legs(a, b)[0].items()))


def distances_to(target, links, ends=()):
    """From each vertex, in links; paths lead through none of `ends`."""
    into = defaultdict(list)
    for link in links.values():
        into[link.head].append(link.tail)
    distance, front = {target: 0}, [target]
    for vertex in front:
        for tail in into[vertex] if vertex == target or vertex not in ends else []:
            if tail not in distance:
                distance[tail] = distance[vertex] + 1
                front.append(tail)
    return distance


class Grid(Network):
    """What tori and HyperX share: routers with coordinates, the first dimension the fastest."""

    def set_sizes(self, sizes):
        self.sizes = sizes
        self.strides = [math.prod(sizes[:k]) for k in range(len(sizes))]
        self.num_routers = self.num_hosts = math.prod(sizes)
        self.prefix = "" if self.per_router == 1 else "r"

    def add_hosts(self, rng, rates):
        """A host alone is its router."""
        if self.per_router == 1:
            return ""
        speed, keys = rates.default, f",per_router={self.per_router}"
        if rng.random() < 0.5:
            speed, keys = (3e9, 2e-7), keys + ",host_bandwidth=3GBps,host_latency=200ns"
        self.add_host_links(speed)
        return keys

    def coordinate(self, router, k):
        return router // self.strides[k] % self.sizes[k]

    def moved(self, router, k, coordinate):
        return router + (coordinate - self.coordinate(router, k)) * self.strides[k]

    def name(self, kind, a, b):
        return f"{kind}:{self.prefix}{a}->{self.prefix}{b}"


class Torus(Grid):
    def __init__(self, rng):
        super().__init__()
        self.per_router = rng.choice([1, 1, 2])
        sizes = [rng.randint(2, 6)] + [rng.randint(2, 4) for _ in range(rng.randint(0, 2))]
        rng.shuffle(sizes)
        while math.prod(sizes) > 48:
            sizes.pop()
        self.set_sizes(sizes)
        mesh = rng.random() < 0.2
        self.wraps = [not mesh and rng.random() < 0.8 for _ in sizes]
        self.twist, self.twisted, self.shifted = 0, None, None
        if len(sizes) > 1 and all(self.wraps) and rng.random() < 0.5:
            self.twist = rng.randint(1, max(sizes[0], sizes[-1]) - 1)
            ends = (0, len(sizes) - 1)
            self.shifted, self.twisted = ends if self.twist < sizes[0] else ends[::-1]
        rates = Rates(rng, len(sizes))
        for k in range(len(sizes)):
            for a in range(self.num_routers):
                if self.coordinate(a, k) + 1 < sizes[k] or self.wraps[k]:
                    b = self.ahead(a, k, 1)
                    self.add(self.name(f"d{k}+", a, b), a, b, rates.of_kind[k])
                    self.add(self.name(f"d{k}-", b, a), b, a, rates.of_kind[k])
        marks = ["" if mesh or wrap else "m" for wrap in self.wraps]
        self.spec = ("mesh:" if mesh else "torus:") + "x".join(f"{n}{m}" for n, m in zip(sizes, marks))
        self.spec += (f",twist={self.twist}" if self.twist else "") + self.add_hosts(rng, rates) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "auto", "simgrid", "ecmp", "valiant", *self.rules_of_loads,
                                *([] if self.twist else ["positive", "split"])])

    def ahead(self, router, k, step):
        """The next router; the wrap with a twist shifts the other coordinate."""
        here = self.coordinate(router, k)
        there = (here + step) % self.sizes[k]
        moved = self.moved(router, k, there)
        if k == self.twisted and there != here + step:
            other = self.coordinate(moved, self.shifted) + step * self.twist
            moved = self.moved(moved, self.shifted, other % self.sizes[self.shifted])
        return moved

    def ways(self, k, a, b, rule):
        """Steps from coordinate a to b, signed, with their shares."""
        size = self.sizes[k]
        forwards, backwards = (b - a) % size, (a - b) % size
        if not self.wraps[k]:
            return [(b - a, 1.0)]
        if forwards != backwards:
            return [(forwards if forwards < backwards else -backwards, 1.0)]
        return {"positive": [(forwards, 1.0)],
                "split": [(forwards, 0.5), (-backwards, 0.5)],
                "simgrid": [(-backwards if a == size // 2 and not self.twist else forwards, 1.0)],
                "auto": [(forwards if a % 2 == 0 else -backwards, 1.0)]}[rule]

    def steps_of_twist(self, source, target):
        """In the dimension of the twist, and by how much its wraps shift the other coordinate."""
        size, around = self.sizes[self.twisted], self.sizes[self.shifted]
        along = self.coordinate(target, self.twisted) - self.coordinate(source, self.twisted)
        across = self.coordinate(target, self.shifted) - self.coordinate(source, self.shifted)
        choices = []
        for wraps in range(-around - 2, around + 3):
            left = (across - wraps * self.twist) % around
            choices.append((abs(along + wraps * size) + min(left, around - left), abs(wraps), wraps < 0, wraps))
        wraps = min(choices)[-1]
        return along + wraps * size, wraps * self.twist

    def route(self, source, target, rule, _):
        shares, router = {}, source
        steps_of_twist, shift = self.steps_of_twist(source, target) if self.twist else (0, 0)
        for k in range(len(self.sizes)):
            here, end = self.coordinate(source, k), self.coordinate(target, k)
            if k == self.shifted:
                end = (end - shift) % self.sizes[k]
            ways = [(steps_of_twist, 1.0)] if k == self.twisted else self.ways(k, here, end, rule) if here != end else []
            start = router
            for steps, share in ways:
                router, step = start, 1 if steps > 0 else -1
                for _ in range(abs(steps)):
                    there = self.ahead(router, k, step)
                    shares[self.name(f"d{k}{'+' if step > 0 else '-'}", router, there)] = share
                    router = there
        return shares


class HyperX(Grid):
    def __init__(self, rng):
        super().__init__()
        self.per_router = rng.choice([1, 2, 3])
        self.set_sizes([rng.randint(2, 4) for _ in range(rng.randint(1, 3))])
        rates = Rates(rng, len(self.sizes))
        factors, keys = [1] * len(self.sizes), ""
        if rng.random() < 0.3:
            factors = [rng.randint(1, 3) for _ in self.sizes]
            keys = ",links=" + "/".join(map(str, factors))
        for k, size in enumerate(self.sizes):
            bandwidth, latency = rates.of_kind[k]
            for a in range(self.num_routers):
                for coordinate in range(size):
                    b = self.moved(a, k, coordinate)
                    if a != b:
                        self.add(self.name(f"d{k}", a, b), a, b, (bandwidth * factors[k], latency))
        self.spec = "hyperx:" + "x".join(map(str, self.sizes)) + keys
        self.spec += self.add_hosts(rng, rates) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", "valiant", *self.rules_of_loads])

    def route(self, source, target, rule, _):
        shares, router = {}, source
        for k in range(len(self.sizes)):
            ahead = self.moved(router, k, self.coordinate(target, k))
            if ahead != router:
                shares[self.name(f"d{k}", router, ahead)] = 1.0
            router = ahead
        return shares


class FatTree(Network):
    """Switches of level l: the product of the parents below it for each subtree of hosts. Several parents of hosts
    are planes, which have no switch in common."""

    has_detours = False

    def __init__(self, rng):
        super().__init__()
        levels = rng.randint(1, 3)
        self.children = [rng.randint(2, 4 if levels < 3 else 3) for _ in range(levels)]
        self.parents = [rng.choice([1, 1, 2]) if k == 0 else rng.randint(1, 3) for k in range(levels)]
        self.rule = rng.choice(["auto", "simgrid", "ecmp", *self.rules_of_loads])
        several = self.rule not in ("auto", "simgrid") and rng.random() < 0.4
        cables = [rng.randint(1, 2) if several else 1 for _ in range(levels)]
        rails = rng.choice([1, 1, 2, 3])
        self.num_hosts, self.has_host_links = math.prod(self.children), True
        rates = Rates(rng, levels)
        lists = [",".join(map(str, part)) for part in (self.children, self.parents, cables)]
        self.spec = f"fat-tree:{levels};" + ";".join(lists) + (f",rails={rails}" if rails > 1 else "") + rates.keys
        self.parents[0] *= rails
        self.planes = self.parents[0]
        for k in range(levels):
            width = math.prod(self.parents[:k])
            for position in range(width * self.num_hosts // math.prod(self.children[:k])):
                for digit in range(self.parents[k]):
                    below, above = (k, position), self.parent(k, position, digit)
                    for cable in range(cables[k]):
                        mark = f"#{cable}" if cables[k] > 1 else ""
                        self.add(self.between(below, above) + mark, below, above, rates.of_kind[k])
                        self.add(self.between(above, below) + mark, above, below, rates.of_kind[k])
        self.options = rates.options

    def label(self, vertex):
        return f"host-{vertex[1]}" if vertex[0] == 0 else f"s{vertex[0]}.{vertex[1]}"

    def between(self, a, b):
        return f"{self.label(a)}->{self.label(b)}"

    def parent(self, level, position, digit):
        width = math.prod(self.parents[:level])
        low, subtree = position % width, position // width
        return (level + 1, low + width * (digit + self.parents[level] * (subtree // self.children[level])))

    def vertex(self, host):
        return (0, host)

    def legs_by(self, rule, a, b, plane=None):
        if a == b:
            return []
        if rule == "ecmp":
            links = self.all_links()
            if plane is not None:
                links = {name: link for name, link in links.items()
                         if max(link.tail, link.head)[1] % self.planes == plane}
            return [self.even_shares((0, a), (0, b), links)]
        return [self.route(a, b, plane)]

    def route(self, source, target, plane):
        """D-mod-k up to the first common ancestor, down by the only way. A plane that is given counts as a tree
        without the others."""
        up, level, position = [(0, source)], 0, source
        while source // math.prod(self.children[:level]) != target // math.prod(self.children[:level]):
            divisor = math.prod(self.parents[: level] if plane is None else self.parents[1: level])
            digit = target // divisor % self.parents[level]
            level, position = self.parent(level, position, plane if plane is not None and level == 0 else digit)
            up.append((level, position))
        down = [up[-1]]
        for below in range(level - 1, -1, -1):  # the same parents' digits, the target's subtree
            width = math.prod(self.parents[:below])
            down.append((below, position % width + width * (target // math.prod(self.children[:below]))))
        path = up + down[1:]
        return {self.between(a, b): 1.0 for a, b in zip(path, path[1:])}


class Tree(Network):
    """Hops of a link are half of what its level adds to the distance."""

    has_detours = False

    def __init__(self, rng):
        super().__init__()
        self.arities = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        self.arities[0] += 1
        self.num_hosts, self.has_host_links = math.prod(self.arities), True
        self.distances = sorted(rng.choice([1, 2, 3, 10, 100]) for _ in self.arities)
        rates = Rates(rng, len(self.arities))
        for level in range(len(self.arities)):
            hops = (self.distances[level] - (self.distances[level - 1] if level else 0)) / 2
            for below in range(self.num_hosts // math.prod(self.arities[:level])):
                ends = (level, below), (level + 1, below // self.arities[level])
                self.add(self.between(*ends), *ends, rates.of_kind[level], hops)
                self.add(self.between(*ends[::-1]), *ends[::-1], rates.of_kind[level], hops)
        self.spec = "tree:" + ":".join(map(str, self.arities)) + "@" + ":".join(map(str, self.distances)) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", *self.rules_of_loads])

    def vertex(self, host):
        return (0, host)

    def between(self, a, b):
        names = [f"host-{n}" if level == 0 else "root" if level == len(self.arities) else f"t{level}.{n}"
                 for level, n in (a, b)]
        return "->".join(names)

    def legs_by(self, rule, a, b):
        up, down, level = {}, {}, 0
        while a != b:
            above = a // self.arities[level], b // self.arities[level]
            up[self.between((level, a), (level + 1, above[0]))] = 1.0
            down = {self.between((level + 1, above[1]), (level, b)): 1.0, **down}
            (a, b), level = above, level + 1
        return [{**up, **down}] if up else []
