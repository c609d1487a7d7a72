"""A mapper written in Python beside others, on traffic in memory. Expected output: see the README of this folder."""
import vtopo

MIB = 2**20


def binary_tree(ranks):
    """Rank r and its children 2 r + 1 and 2 r + 2 exchange a MiB, both ways."""
    pairs = [(child, (child - 1) // 2) for child in range(1, ranks)]
    sources = [a for a, _ in pairs] + [b for _, b in pairs]
    destinations = [b for _, b in pairs] + [a for a, _ in pairs]
    return vtopo.Traffic(sources, destinations, [float(MIB)] * len(sources), ranks)


@vtopo.mapper
def python_greedy(problem):
    """Each rank in turn to the free host with the fewest byte-hops to the partners that have one."""
    partners = [[] for _ in range(problem.num_ranks)]
    for source, destination, volume in problem.edges():
        partners[source].append((destination, volume))
    hops = [problem.hops_from(host) for host in range(problem.num_hosts)]
    free = dict(enumerate(problem.slots))
    place = {}
    for rank in range(problem.num_ranks):
        known = [(place[other], volume) for other, volume in partners[rank] if other in place]
        place[rank] = min(free, key=lambda host: sum(volume * hops[host][at] for at, volume in known))
        free[place[rank]] -= 1
        if free[place[rank]] == 0:
            del free[place[rank]]
    return [place[rank] for rank in range(problem.num_ranks)]


report = vtopo.compare(traffic=binary_tree(16), network="torus:4x4",
                       mapper=["block", "python_greedy", "portfolio"], steps=2000)
for row in report:
    print(f"{row['mapper']:16} hop-bytes {row['hop_bytes']:9.0f}  simulated {1e6 * row['makespan']:.0f} us")
