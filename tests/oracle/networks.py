"""Networks with links by name and routes by their definitions, as random specifications of vtopo."""
import fnmatch
import math
from collections import defaultdict


class Link:
    def __init__(self, tail, head, bandwidth, latency, is_hop=True):
        self.tail, self.head = tail, head
        self.bandwidth, self.latency, self.is_hop = bandwidth, latency, is_hop


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
    """Links by name, and `legs(a, b)`: a list of {link: share of the flow} of hosts a and b; the rule valiant has
    two legs, others one."""

    def __init__(self, rng):
        self.links, self.failed, self.spec, self.rule = {}, set(), "", "auto"
        self.per_router = 1

    def add(self, name, tail, head, rates):
        self.links[name] = Link(tail, head, *rates)

    def use_hosts(self, rng, rates):
        """Cables of hosts, where a router has several; a host alone is its router."""
        self.num_hosts = self.num_routers * self.per_router
        if self.per_router == 1:
            return ""
        speed, keys = rates.default, f",per_router={self.per_router}"
        if rng.random() < 0.5:
            speed, keys = (3e9, 2e-7), keys + ",host_bandwidth=3GBps,host_latency=200ns"
        for host in range(self.num_hosts):
            router = host // self.per_router
            self.add(f"host-{host}->r{router}", ("host", host), router, speed)
            self.add(f"r{router}->host-{host}", router, ("host", host), speed)
        return keys

    def vertex(self, host):
        return host if self.per_router == 1 else ("host", host)

    def legs(self, a, b):
        if a == b:
            return []
        if self.rule == "ecmp":
            return [self.even_shares(self.vertex(a), self.vertex(b))]
        if self.per_router == 1:
            return self.router_legs(a, b)
        source, target = a // self.per_router, b // self.per_router
        legs = self.router_legs(source, target) if source != target else [{}]
        legs[0] = {f"host-{a}->r{source}": 1.0, **legs[0]}
        legs[-1] = {**legs[-1], f"r{target}->host-{b}": 1.0}
        return legs

    def router_legs(self, source, target):
        if self.rule != "valiant":
            return [self.route(source, target, self.rule)]
        legs = [defaultdict(float), defaultdict(float)]
        for middle in range(self.num_routers):
            for leg, ends in zip(legs, ((source, middle), (middle, target))):
                for link, share in self.route(*ends, "simgrid").items():
                    leg[link] += share / self.num_routers
        return [dict(leg) for leg in legs]

    def distances_to(self, target):
        into = defaultdict(list)
        for name, link in self.links.items():
            if name not in self.failed:
                into[link.head].append(link.tail)
        distance, front = {target: 0}, [target]
        for vertex in front:
            for tail in into[vertex]:
                if tail not in distance:
                    distance[tail] = distance[vertex] + 1
                    front.append(tail)
        return distance

    def even_shares(self, source, target):
        """At each vertex evenly over the next links of shortest routes."""
        distance = self.distances_to(target)
        arrived, shares = {source: 1.0}, {}
        for left in range(distance[source], 0, -1):
            further = defaultdict(float)
            for vertex, part in arrived.items():
                ahead = [(name, link.head) for name, link in self.links.items()
                         if link.tail == vertex and name not in self.failed
                         and distance.get(link.head) == left - 1]
                for name, head in ahead:
                    shares[name] = part / len(ahead)
                    further[head] += part / len(ahead)
            arrived = further
        return shares

    def hops(self, a, b):
        if a == b:
            return 0
        if self.rule == "valiant":  # the distance is that of the shortest route
            return self.distances_to(self.vertex(b))[self.vertex(a)]
        shares = self.legs(a, b)[0]
        return round(sum(share for name, share in shares.items() if self.links[name].is_hop))


class Grid(Network):
    """What tori and HyperX share: routers with coordinates, the first dimension the fastest."""

    def set_sizes(self, sizes):
        self.sizes = sizes
        self.strides = [math.prod(sizes[:k]) for k in range(len(sizes))]
        self.num_routers = math.prod(sizes)
        self.prefix = "" if self.per_router == 1 else "r"

    def coordinate(self, router, k):
        return router // self.strides[k] % self.sizes[k]

    def moved(self, router, k, coordinate):
        return router + (coordinate - self.coordinate(router, k)) * self.strides[k]

    def name(self, kind, a, b):
        return f"{kind}:{self.prefix}{a}->{self.prefix}{b}"


class Torus(Grid):
    def __init__(self, rng):
        super().__init__(rng)
        self.per_router = rng.choice([1, 1, 2])
        sizes = [rng.randint(2, 6)] + [rng.randint(2, 4) for _ in range(rng.randint(0, 2))]
        rng.shuffle(sizes)
        while math.prod(sizes) > 48:
            sizes.pop()
        self.set_sizes(sizes)
        mesh = rng.random() < 0.2
        self.wraps = [not mesh and rng.random() < 0.8 for _ in sizes]
        rates = Rates(rng, len(sizes))
        for k, size in enumerate(sizes):
            for a in range(self.num_routers):
                coordinate = self.coordinate(a, k)
                if coordinate + 1 < size or self.wraps[k]:
                    b = self.moved(a, k, (coordinate + 1) % size)
                    self.add(self.name(f"d{k}+", a, b), a, b, rates.of_kind[k])
                    self.add(self.name(f"d{k}-", b, a), b, a, rates.of_kind[k])
        marks = ["" if mesh or wrap else "m" for wrap in self.wraps]
        self.spec = ("mesh:" if mesh else "torus:") + "x".join(f"{n}{m}" for n, m in zip(sizes, marks))
        self.spec += self.use_hosts(rng, rates) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "auto", "simgrid", "positive", "split", "ecmp", "valiant"])

    def ways(self, k, a, b, rule):
        """Directions from coordinate a to b with their shares."""
        size = self.sizes[k]
        forwards, backwards = (b - a) % size, (a - b) % size
        if not self.wraps[k]:
            return [(1 if b > a else -1, 1.0)]
        if forwards != backwards:
            return [(1 if forwards < backwards else -1, 1.0)]
        return {"positive": [(1, 1.0)],
                "split": [(1, 0.5), (-1, 0.5)],
                "simgrid": [(-1 if a == size // 2 else 1, 1.0)],
                "auto": [(1 if a % 2 == 0 else -1, 1.0)]}[rule]

    def route(self, source, target, rule):
        shares, router = {}, source
        for k, size in enumerate(self.sizes):
            end = self.coordinate(target, k)
            if self.coordinate(router, k) == end:
                continue
            for step, share in self.ways(k, self.coordinate(router, k), end, rule):
                here = router
                while self.coordinate(here, k) != end:
                    ahead = self.moved(here, k, (self.coordinate(here, k) + step) % size)
                    shares[self.name(f"d{k}{'+' if step > 0 else '-'}", here, ahead)] = share
                    here = ahead
            router = self.moved(router, k, end)
        return shares


class HyperX(Grid):
    def __init__(self, rng):
        super().__init__(rng)
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
        self.spec += self.use_hosts(rng, rates) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", "valiant"])

    def route(self, source, target, rule):
        shares, router = {}, source
        for k in range(len(self.sizes)):
            ahead = self.moved(router, k, self.coordinate(target, k))
            if ahead != router:
                shares[self.name(f"d{k}", router, ahead)] = 1.0
            router = ahead
        return shares


class FatTree(Network):
    """Switches of level l: the product of the parents below it for each subtree of hosts."""

    def __init__(self, rng):
        super().__init__(rng)
        levels = rng.randint(1, 3)
        self.children = [rng.randint(2, 4 if levels < 3 else 3) for _ in range(levels)]
        self.parents = [rng.choice([1, 1, 2]) if k == 0 else rng.randint(1, 3) for k in range(levels)]
        self.num_hosts = math.prod(self.children)
        rates = Rates(rng, levels)
        for k in range(levels):
            width = math.prod(self.parents[:k])
            for position in range(width * self.num_hosts // math.prod(self.children[:k])):
                for digit in range(self.parents[k]):
                    below, above = (k, position), self.parent(k, position, digit)
                    self.add(f"{self.label(below)}->{self.label(above)}", below, above, rates.of_kind[k])
                    self.add(f"{self.label(above)}->{self.label(below)}", above, below, rates.of_kind[k])
        lists = (self.children, self.parents, [1] * levels)
        self.spec = f"fat-tree:{levels};" + ";".join(",".join(map(str, part)) for part in lists) + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp"])

    def label(self, vertex):
        return f"host-{vertex[1]}" if vertex[0] == 0 else f"s{vertex[0]}.{vertex[1]}"

    def parent(self, level, position, digit):
        width = math.prod(self.parents[:level])
        low, subtree = position % width, position // width
        return (level + 1, low + width * (digit + self.parents[level] * (subtree // self.children[level])))

    def vertex(self, host):
        return (0, host)

    def router_legs(self, source, target):
        """D-mod-k up to the first common ancestor, down by the only way."""
        up, level, position = [(0, source)], 0, source
        while source // math.prod(self.children[:level]) != target // math.prod(self.children[:level]):
            digit = target // math.prod(self.parents[:level]) % self.parents[level]
            level, position = self.parent(level, position, digit)
            up.append((level, position))
        down = [up[-1]]
        for below in range(level - 1, -1, -1):  # the same parents' digits, the target's subtree
            width = math.prod(self.parents[:below])
            down.append((below, position % width + width * (target // math.prod(self.children[:below]))))
        path = up + down[1:]
        return [{f"{self.label(a)}->{self.label(b)}": 1.0 for a, b in zip(path, path[1:])}]


class Dragonfly(Network):
    """Of one chassis per group; group j is reached from router j modulo the routers of a group."""

    def __init__(self, rng):
        super().__init__(rng)
        groups, self.blades, self.per_router = rng.randint(2, 5), rng.randint(1, 4), rng.randint(1, 3)
        self.num_routers = groups * self.blades
        self.num_hosts = self.num_routers * self.per_router
        blue, green = rng.randint(1, 2), rng.randint(1, 3)
        rates = Rates(rng, 4)
        for host in range(self.num_hosts):
            vertex, label = ("host", host), self.label(host // self.per_router)
            self.add(f"host-{host}->{label}", vertex, host // self.per_router, rates.of_kind[0])
            self.add(f"{label}->host-{host}", host // self.per_router, vertex, rates.of_kind[0])
        for group in range(groups):
            mine = range(group * self.blades, (group + 1) * self.blades)
            ends = [(a, b, rates.of_kind[1], green) for a in mine for b in mine if a != b]
            ends += [(self.gateway(group, other), self.gateway(other, group), rates.of_kind[3], blue)
                     for other in range(groups) if other != group]
            for a, b, (bandwidth, latency), factor in ends:
                self.add(f"{self.label(a)}->{self.label(b)}", a, b, (bandwidth * factor, latency))
        self.spec = f"dragonfly:{groups},{blue};1,1;{self.blades},{green};{self.per_router}" + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid"])

    def label(self, router):
        return f"r{router // self.blades}.0.{router % self.blades}"

    def gateway(self, group, other):
        return group * self.blades + other % self.blades

    def legs(self, a, b):
        """Minimal: at most one link between groups."""
        if a == b:
            return []
        source, target = a // self.per_router, b // self.per_router
        path, here, there = [source], source // self.blades, target // self.blades
        if here != there:
            path += [self.gateway(here, there), self.gateway(there, here)]
        path.append(target)
        links = [f"{self.label(x)}->{self.label(y)}" for x, y in zip(path, path[1:]) if x != y]
        links = [f"host-{a}->{self.label(source)}", *links, f"{self.label(target)}->host-{b}"]
        return [{link: 1.0 for link in links}]


def add_interfaces(rng, network):
    """One interface per host: a link out and a link in, which are not hops."""
    out, into = rng.choice(["5GBps", "500MBps"]), rng.choice(["4GBps", "900MBps"])
    delay = rng.choice(["", "/2us"])
    network.spec += f",nics=1,injection={out}{delay},extraction={into}"
    for host in range(network.num_hosts):
        network.links[f"host-{host}:nic0-out"] = Link(None, None, number(out), 2e-6 if delay else 0.0, False)
        network.links[f"host-{host}:nic0-in"] = Link(None, None, number(into), 0.0, False)
    plain = network.legs

    def legs(a, b):
        found = plain(a, b)
        if found:
            found[0] = {f"host-{a}:nic0-out": 1.0, **found[0]}
            found[-1] = {**found[-1], f"host-{b}:nic0-in": 1.0}
        return found

    network.legs = legs


def scale_bandwidths(rng, network):
    """Names of links, and a pattern."""
    names = list(network.links)
    for pattern in [rng.choice(names) for _ in range(rng.randint(1, 3))] + rng.choice([[], ["d0*"], ["*->s1.*"]]):
        matches = fnmatch.filter(names, pattern)
        if matches:
            factor = rng.choice([0.5, 0.1, 2])
            network.options += ["--scale-bandwidth", f"{pattern}={factor}"]
            for name in matches:
                network.links[name].bandwidth *= factor


def fail_link(rng, network, pairs):
    """A link without which these pairs of hosts have the routes that they had or, under `ecmp`, shortest routes
    of what is left; whether there is one."""
    used = {name for a, b in pairs for leg in network.legs(a, b) for name in leg}
    for name in rng.sample(list(network.links), min(10, len(network.links))):
        link = network.links[name]
        if not link.is_hop or "host" in name or (name in used and network.rule != "ecmp"):
            continue
        network.failed.add(name)
        if all(network.vertex(a) in network.distances_to(network.vertex(b)) for a, b in pairs):
            network.options += ["--fail-link", name]
            return True
        network.failed.clear()
    return False
