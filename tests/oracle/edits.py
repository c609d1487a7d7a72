"""What is put around networks and changed in them: interfaces, insides of hosts, failed links and hosts, bandwidths."""
import fnmatch
import math

from networks import Link, number


class Endpoints:
    """A network whose hosts are places inside the hosts of another one, behind network interfaces."""

    def __init__(self, rng, inner):
        self.inner, self.links = inner, inner.links
        self.levels, self.nics, self.policy = [], 0, None
        self.rails, self.rail, self.has_free_interfaces = False, None, False
        keys = ""
        if rng.random() < 0.7:
            self.levels = [rng.randint(1, 3) for _ in range(rng.randint(1, 2))]
            names = [(name, rng.choice(["3GBps", "400MBps", "20GBps"])) for name in ("lane", "numa")[: len(self.levels)]]
            keys += ",node=" + "x".join(map(str, self.levels)) + ":" + ",".join(map("=".join, names))
        self.places = math.prod(self.levels)
        self.num_hosts = inner.num_hosts * self.places
        for node in range(inner.num_hosts):
            for level in range(len(self.levels)):
                name, speed = names[level]
                for below in range(self.places // math.prod(self.levels[:level])):
                    for way in ("up", "down"):
                        self.add(f"host-{node}:{name}.{below}-{way}", number(speed), 0.0, 1.0)
        self.names = [name for name, _ in names] if self.levels else []
        if not self.levels or rng.random() < 0.7:
            keys += self.use_interfaces(rng)
        inner.spec += keys

    def use_interfaces(self, rng):
        inner, planes = self.inner, getattr(self.inner, "planes", 1)
        self.nics = rng.choice([1, 1, 2, 3])
        out, into = rng.choice(["5GBps", "500MBps"]), rng.choice(["4GBps", "900MBps"])
        delay = rng.choice(["", "/2us"])
        policies = ["destination", "round_robin", None] + ["rank"] * (self.places >= self.nics)
        choice = rng.choice(policies)
        if self.rule in self.rules_of_loads:  # these choose interfaces, too
            choice = "round_robin"
        if planes > 1 and self.nics > 1 and choice != "round_robin":
            self.nics = planes * rng.choice([1, 1, 2])
            choice = choice if choice != "rank" or self.places >= self.nics else None
        self.policy = choice or ("rank" if self.places >= self.nics else "round_robin")
        keys = f",nics={self.nics},injection={out}{delay},extraction={into}" + (f",nic={choice}" if choice else "")
        self.has_free_interfaces = self.nics > 1 and self.policy != "round_robin"  # to the rule ideal
        self.rails = planes > 1 and self.nics > 1 and self.policy == "rank"
        if self.rails:
            self.rail = rng.choice(["receiver", "sender", None])
            keys += f",rail={self.rail}" if self.rail else ""
        elif planes > 1 and self.nics > 1 and self.policy == "destination":
            self.rails, self.rail = True, "receiver"
        for node in range(inner.num_hosts):
            together = self.nics > 1 and self.policy == "round_robin"
            for name in ["nics"] if together else [f"nic{k}" for k in range(self.nics)]:
                factor = self.nics if together else 1
                self.add(f"host-{node}:{name}-out", number(out) * factor, 2e-6 if delay else 0.0, 0.0)
                self.add(f"host-{node}:{name}-in", number(into) * factor, 0.0, 0.0)
        return keys

    def add(self, name, bandwidth, latency, hops):
        self.links[name] = Link(None, None, bandwidth, latency, hops)

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def host_name(self, host):
        return f"host-{host // self.places}.{host % self.places}" if self.levels else f"host-{host}"

    def inside(self, host, way, top):
        """Links of the levels below `top`, from the place up."""
        node, place = divmod(host, self.places)
        return {f"host-{node}:{self.names[level]}.{place // math.prod(self.levels[:level])}-{way}": 1.0
                for level in range(top)}

    def meeting_level(self, a, b):
        level, (a, b) = 0, (a % self.places, b % self.places)
        while a != b:
            a, b, level = a // self.levels[level], b // self.levels[level], level + 1
        return level

    def interfaces(self, a, b):
        """Names out of the host of a and into that of b, and the plane."""
        nodes = a // self.places, b // self.places
        if self.nics == 0:
            return {}, {}, None
        if self.nics > 1 and self.policy == "round_robin":
            names, plane = ("nics", "nics"), None
        else:
            numbers = [(host % self.places if self.places > 1 else host // self.places) % self.nics for host in (a, b)]
            if self.policy == "destination" or (self.rails and self.rail != "sender"):
                numbers[0] = numbers[1]
            elif self.rails:
                numbers[1] = numbers[0]
            names, plane = [f"nic{n}" for n in numbers], numbers[0] % getattr(self.inner, "planes", 1)
        return ({f"host-{nodes[0]}:{names[0]}-out": 1.0}, {f"host-{nodes[1]}:{names[1]}-in": 1.0},
                plane if self.rails else None)

    def ends(self, a, b):
        """Links before those of the network, and behind."""
        top = len(self.levels)
        out, into, _ = self.interfaces(a, b)
        return {**self.inside(a, "up", top), **out}, {**into, **self.inside(b, "down", top)}

    def plane_rule(self):
        return "ecmp" if self.rule in self.rules_of_loads else self.rule

    def legs(self, a, b):
        if a == b:
            return []
        if a // self.places == b // self.places:
            top = self.meeting_level(a, b)
            return [{**self.inside(a, "up", top), **self.inside(b, "down", top)}]
        nodes, plane = (a // self.places, b // self.places), self.interfaces(a, b)[2]
        legs = self.inner.legs(*nodes) if plane is None else self.inner.legs_by(self.plane_rule(), *nodes, plane)
        before, behind = self.ends(a, b)
        legs[0] = {**before, **legs[0]}
        legs[-1] = {**legs[-1], **behind}
        return legs

    def hops(self, a, b):
        if a // self.places == b // self.places:
            return 2 * self.meeting_level(a, b)
        return self.inner.hops(a // self.places, b // self.places) + 2 * len(self.levels)


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


def fail(rng, network, hosts):
    """A host that is not of the job, with its links, or up to three links, so that the hosts of the job still reach
    each other; whether something failed."""
    inner, nodes = network.inner, {host // network.places for host in hosts}
    links = [name for name, link in network.links.items() if link.tail is not None and link.hops > 0]
    for _ in range(10):
        options, failed, inner.failed = [], set(), set()
        others = [host for host in range(inner.num_hosts) if host not in nodes]
        if others and inner is network and rng.random() < 0.4:
            host = rng.choice(others)
            failed = {name for name, link in network.links.items()
                      if inner.vertex(host) in (link.tail, link.head)}
            options = ["--fail-host", f"host-{host}"]
        else:
            for name in rng.sample(links, rng.randint(1, min(3, len(links)))):
                failed.add(name)
                options += ["--fail-link", name]
        inner.failed = failed
        reached = [inner.distances_to_host(b) for b in nodes]
        if all(inner.vertex(a) in found for a in nodes for found in reached):
            inner.options += options
            return True
        inner.failed = set()
    return False
