"""Networks of groups of routers: dragonflies, dragonfly+ and Slim Fly."""
from collections import defaultdict

from networks import Network, Rates, distances_to


class Dragonfly(Network):
    """Groups of chassis of blades. Routes are minimal: one link between groups, none within one."""

    def __init__(self, rng):
        super().__init__()
        self.groups, self.per_router = rng.randint(2, 5), rng.randint(1, 3)
        self.chassis, self.blades = rng.choice([1, 1, 2, 3]), rng.randint(1, 4)
        self.routers = self.chassis * self.blades  # of a group
        self.cables = rng.choice([1, 1, 1, 2, 3])
        self.arrangement = rng.choice(["", "simgrid", "absolute", "relative", "circulant"])
        self.num_routers = self.groups * self.routers
        factors = [rng.randint(1, 3) for _ in range(3)]  # blue, black, green
        rates = Rates(rng, 4)
        self.add_host_links(rates.of_kind[0])
        for a in range(self.num_routers):
            for b in range(self.num_routers):
                if a != b and self.is_local(a, b):
                    green = a // self.blades == b // self.blades
                    bandwidth, latency = rates.of_kind[1 if green else 2]
                    self.add(self.between(a, b), a, b, (bandwidth * factors[2 if green else 1], latency))
        bandwidth, latency = rates.of_kind[3]
        for a in range(self.groups):
            for b in range(self.groups):
                for cable in range(self.cables if a != b else 0):
                    ends = self.gateway(a, b, cable), self.gateway(b, a, cable)
                    self.add(self.global_link(a, b, cable), *ends, (bandwidth * factors[0], latency))
        self.spec = (f"dragonfly:{self.groups},{factors[0]};{self.chassis},{factors[1]};{self.blades},{factors[2]};"
                     f"{self.per_router}")
        self.spec += f",arrangement={self.arrangement}" if self.arrangement else ""
        self.spec += (f",pair_links={self.cables}" if self.cables > 1 else "") + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", "valiant", *self.rules_of_loads])

    def is_local(self, a, b):
        """Blades of a chassis, and equal blades of a group's chassis, are joined."""
        same_chassis, same_blade = a // self.blades == b // self.blades, a % self.blades == b % self.blades
        return a // self.routers == b // self.routers and (same_chassis or same_blade)

    def label(self, router):
        return f"r{router // self.routers}.{router % self.routers // self.blades}.{router % self.blades}"

    def between(self, a, b):
        return f"{self.label(a)}->{self.label(b)}"

    def global_link(self, a, b, cable):
        mark = f"#{cable}" if self.cables > 1 else ""
        return self.between(self.gateway(a, b, cable), self.gateway(b, a, cable)) + mark

    def gateway(self, group, other, cable):
        """Router of a group where a cable to another one starts (Hastings et al., CLUSTER 2015)."""
        if self.arrangement in ("", "simgrid"):
            position = (other + cable * max(1, self.routers // self.cables)) % self.routers
        else:
            ahead = (other - group) % self.groups
            port = {"absolute": other if other < group else other - 1,
                    "relative": ahead - 1,
                    "circulant": 2 * (ahead - 1) if 2 * ahead <= self.groups else 2 * (self.groups - ahead) - 1}
            ports = (self.groups - 1) * self.cables
            per_router = -(-ports // self.routers)
            position = (cable * (self.groups - 1) + port[self.arrangement]) // per_router
        return group * self.routers + position

    def local_path(self, a, b):
        """Green, then black."""
        turn = a // self.blades * self.blades + b % self.blades
        return [self.between(x, y) for x, y in ((a, turn), (turn, b)) if x != y]

    def path_by(self, source, target, cable):
        here, there = source // self.routers, target // self.routers
        return [*self.local_path(source, self.gateway(here, there, cable)), self.global_link(here, there, cable),
                *self.local_path(self.gateway(there, here, cable), target)]

    def route(self, source, target, rule, destination):
        """Of the cables with the fewest local links, number (destination modulo how many there are)."""
        if source // self.routers == target // self.routers:
            return dict.fromkeys(self.local_path(source, target), 1.0)
        paths = [self.path_by(source, target, cable) for cable in range(self.cables)]
        shortest = [path for path in paths if len(path) == min(map(len, paths))]
        return dict.fromkeys(shortest[destination % len(shortest)], 1.0)

    def router_legs(self, rule, source, target, destination):
        here, there = source // self.routers, target // self.routers
        if rule == "ecmp":
            allowed = {(here, here), (there, there), (here, there)}
            links = {name: link for name, link in self.all_links().items() if name[0] == "r" and "host" not in name
                     and (link.tail // self.routers, link.head // self.routers) in allowed}
            return [self.even_shares(source, target, links)]
        if rule != "valiant" or here == there or self.groups < 3:
            return [self.route(source, target, rule, destination)]
        shares = defaultdict(float)
        for middle in set(range(self.groups)) - {here, there}:
            part = 1 / (self.groups - 2) / self.cables ** 2
            for out in range(self.cables):
                for into in range(self.cables):
                    stop, start = self.gateway(middle, here, out), self.gateway(middle, there, into)
                    path = self.local_path(source, self.gateway(here, middle, out))
                    path += [self.global_link(here, middle, out), *self.local_path(stop, start)]
                    path += [self.global_link(middle, there, into),
                             *self.local_path(self.gateway(there, middle, into), target)]
                    for name in path:
                        shares[name] += part
        return [dict(shares)]

    def hops(self, a, b):
        if self.rule != "valiant":
            return super().hops(a, b)
        return sum(map(len, self.legs_by("simgrid", a, b)))


class DragonflyPlus(Network):
    """Cells of leaves and spines, joined spine to spine."""

    def __init__(self, rng):
        super().__init__()
        self.cells, self.leaves, self.spines = rng.randint(2, 4), rng.randint(1, 3), rng.randint(1, 3)
        self.per_router, self.cables = rng.randint(1, 3), rng.randint(1, 4)
        self.num_routers = self.cells * self.leaves  # vertices: leaves by number, spines as ("spine", cell, number)
        rates = Rates(rng, 3)
        self.add_host_links(rates.of_kind[0])
        for leaf in range(self.num_routers):
            for number in range(self.spines):
                spine = ("spine", leaf // self.leaves, number)
                self.add(self.between(leaf, spine), leaf, spine, rates.of_kind[1])
                self.add(self.between(spine, leaf), spine, leaf, rates.of_kind[1])
        for a in range(self.cells):
            for b in range(self.cells):
                for cable in range(self.cables if a != b else 0):
                    ends = self.spine_of(a, b, cable), self.spine_of(b, a, cable)
                    self.add(self.global_link(a, b, cable), *ends, rates.of_kind[2])
        self.spec = f"dragonfly-plus:{self.cells};{self.leaves},{self.spines};{self.per_router}"
        self.spec += (f",links={self.cables}" if self.cables > 1 else "") + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", "valiant", *self.rules_of_loads])

    def label(self, vertex):
        if isinstance(vertex, tuple):
            return f"spine{vertex[1]}.{vertex[2]}"
        return f"leaf{vertex // self.leaves}.{vertex % self.leaves}"

    def between(self, a, b):
        return f"{self.label(a)}->{self.label(b)}"

    def spine_of(self, cell, other, cable):
        position = other - (other > cell)
        return ("spine", cell, (position * self.cables + cable) % self.spines)

    def global_link(self, a, b, cable):
        mark = f"#{cable}" if self.cables > self.spines else ""
        return self.between(self.spine_of(a, b, cable), self.spine_of(b, a, cable)) + mark

    def route(self, source, target, rule, destination):
        here, there = source // self.leaves, target // self.leaves
        if here == there:
            spine = ("spine", here, destination % self.spines)
            return {self.between(source, spine): 1.0, self.between(spine, target): 1.0}
        cable = destination % self.cables
        return {self.between(source, self.spine_of(here, there, cable)): 1.0, self.global_link(here, there, cable): 1.0,
                self.between(self.spine_of(there, here, cable), target): 1.0}

    def router_legs(self, rule, source, target, destination):
        here, there = source // self.leaves, target // self.leaves
        if rule != "valiant":
            return super().router_legs(rule, source, target, destination)
        if here == there or self.cells < 3:
            return super().router_legs("ecmp", source, target, destination)
        shares = defaultdict(float)
        for cell in set(range(self.cells)) - {here, there}:
            arrived = self.across(shares, {source: 1 / (self.cells - 2)}, here, cell)
            for spine, part in arrived.items():
                on = {self.spine_of(cell, there, cable) for cable in range(self.cables)}
                if spine in on:
                    self.send(shares, {spine: part}, cell, there, target)
                    continue
                leaves = [cell * self.leaves + k for k in range(self.leaves)]
                for leaf in leaves:
                    shares[self.between(spine, leaf)] += part / len(leaves)
                spines = self.up(shares, dict.fromkeys(leaves, part / len(leaves)), on)
                self.send(shares, spines, cell, there, target)
        return [dict(shares)]

    def up(self, shares, at, spines):
        reached = defaultdict(float)
        for leaf, part in at.items():
            for spine in spines:
                shares[self.between(leaf, spine)] += part / len(spines)
                reached[spine] += part / len(spines)
        return reached

    def across(self, shares, at, here, there):
        """From leaves to the spines of another cell."""
        spines = self.up(shares, at, {self.spine_of(here, there, cable) for cable in range(self.cables)})
        return self.over(shares, spines, here, there)

    def over(self, shares, at, here, there):
        reached = defaultdict(float)
        for spine, part in at.items():
            cables = [cable for cable in range(self.cables) if self.spine_of(here, there, cable) == spine]
            for cable in cables:
                shares[self.global_link(here, there, cable)] += part / len(cables)
                reached[self.spine_of(there, here, cable)] += part / len(cables)
        return reached

    def send(self, shares, at, cell, there, target):
        for spine, part in self.over(shares, at, cell, there).items():
            shares[self.between(spine, target)] += part


class SlimFly(Network):
    """The graphs of McKay, Miller and Siran over the integers modulo a prime q = 4w + 1 or 4w - 1 (Besta and Hoefler,
    SC14), or over the field of four elements."""

    def __init__(self, rng):
        super().__init__()
        self.q, self.per_router = rng.choice([3, 3, 4, 5]), rng.randint(1, 2)
        q = self.q
        root = {3: 2, 4: 2, 5: 2}[q]
        powers = [1]
        for _ in range(q - 1):
            powers.append(self.product(powers[-1], root))
        w = (q + 1) // 4
        even, odd = powers[0:q - 1:2], powers[1:q:2]
        if q % 4 == 3:
            even = powers[0:2 * w - 1:2] + powers[2 * w - 1:4 * w - 2:2]
            odd = powers[1:2 * w:2] + powers[2 * w:4 * w - 1:2]
        self.generators = even, odd
        self.num_routers = 2 * q * q
        rates = Rates(rng, 2)
        self.add_host_links(rates.of_kind[0])
        for a in range(self.num_routers):
            for b in range(self.num_routers):
                if a != b and self.are_joined(a, b):
                    self.add(self.between(a, b), a, b, rates.of_kind[1])
        joined = {name: link for name, link in self.links.items() if "host" not in name}
        assert all(max(distances_to(router, joined).values()) == 2 for router in range(self.num_routers))
        self.spec = f"slim-fly:q={q},per_router={self.per_router}" + rates.keys
        self.options = rates.options
        self.rule = rng.choice(["auto", "simgrid", "ecmp", "valiant", "adaptive"])

    def product(self, a, b):
        if self.q != 4:
            return a * b % self.q
        product = (a if b & 1 else 0) ^ (a << 1 if b & 2 else 0)
        return product ^ 7 if product & 4 else product  # x^2 = x + 1

    def difference(self, a, b):
        return a ^ b if self.q == 4 else (a - b) % self.q

    def parts(self, router):
        return router // self.q ** 2, router // self.q % self.q, router % self.q

    def are_joined(self, a, b):
        (side, x, y), (other, m, c) = self.parts(min(a, b)), self.parts(max(a, b))
        if side == other:
            return x == m and self.difference(y, c) in self.generators[side]
        return self.difference(y, self.product(m, x)) == c

    def neighbours(self, router):
        """In the order of links: in the group by the powers of the generators, then of the other side."""
        side, _, y = self.parts(router)
        others = range((1 - side) * self.q ** 2, (2 - side) * self.q ** 2)
        return [*(router - y + self.difference(y, -g % self.q if self.q != 4 else g) for g in self.generators[side]),
                *(other for other in others if self.are_joined(router, other))]

    def label(self, router):
        return "r{}.{}.{}".format(*self.parts(router))

    def between(self, a, b):
        return f"{self.label(a)}->{self.label(b)}"

    def route(self, source, target, rule, destination):
        if self.are_joined(source, target):
            return {self.between(source, target): 1.0}
        common = [router for router in self.neighbours(source) if self.are_joined(router, target)]
        middle = common[destination % len(common)]
        return {self.between(source, middle): 1.0, self.between(middle, target): 1.0}

    def leg_of_valiant(self, source, target):
        return self.even_shares(source, target) if source != target else {}
