#include "netmodels/graph/distances.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "netmodels/host_names.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

/// `count` of the hosts, drawn with a fixed seed, ascending.
std::vector<HostId> drawn(std::vector<HostId> hosts, int count) {
  if (int_size(hosts) <= count) return hosts;
  Random random(1);
  shuffle(std::span(hosts), random);
  hosts.resize(index(count));
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

/// Adds up distances of pairs.
class Summary {
 public:
  void add(HostId source, HostId destination, std::optional<int> distance) {
    ++summary_.pairs;
    if (!distance) {
      ++summary_.unreached;
      if (!summary_.unreached_pair) summary_.unreached_pair.emplace(source, destination);
      return;
    }
    summary_.diameter = std::max(summary_.diameter, *distance);
    sum_ += *distance;
  }

  DistanceSummary result(std::size_t looked_at, std::size_t all) {
    const std::int64_t reached = summary_.pairs - summary_.unreached;
    if (reached > 0) summary_.mean = static_cast<double>(sum_) / static_cast<double>(reached);
    summary_.hosts_looked_at = narrow<int>(looked_at);
    summary_.exact = looked_at == all;
    return summary_;
  }

 private:
  DistanceSummary summary_;
  std::int64_t sum_ = 0;
};

std::optional<int> route_hops(const Network& network, HostId source, HostId destination) {
  try {
    return network.hops(source, destination);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Entry per link: whether it counts as a hop.
std::vector<bool> hop_links(const Network& network) {
  std::vector<bool> is_hop(index(network.num_links()));
  for (int l = 0; l < network.num_links(); ++l) is_hop[index(l)] = network.link(LinkId{l}).hops > 0;
  return is_hop;
}

/// Fewest links that are hops from `start` to every vertex: breadth-first search in which a link
/// that is none leads to a vertex at the same distance. Own code: boost::dijkstra_shortest_paths
/// takes three to six times as long (torus:16x16x16 with interfaces 0.61 against 0.11 ms).
std::vector<int> fewest_hops_from(const LinkGraph& graph, const std::vector<bool>& is_hop,
                                  int start) {
  std::vector<int> distances(index(graph.num_vertices()), LinkGraph::unreachable);
  distances[index(start)] = 0;
  std::deque<int> queue{start};
  while (!queue.empty()) {
    const int here = queue.front();
    queue.pop_front();
    if (here != start && !graph.passes_on(here)) continue;
    for (const Arc& arc : graph.out_arcs(here)) {
      const bool hop = is_hop[index(arc.link)];
      const int through = distances[index(here)] + (hop ? 1 : 0);
      if (through >= distances[index(arc.to)]) continue;
      distances[index(arc.to)] = through;
      hop ? queue.push_back(arc.to) : queue.push_front(arc.to);
    }
  }
  return distances;
}

}  // namespace

DistanceSummary route_distances(const Network& network, int max_hosts) {
  const auto all = working_hosts(network);
  const auto hosts = drawn(all, max_hosts);
  Summary summary;
  // Destinations outside: routes around failed links are searched per destination.
  for (const HostId destination : hosts)
    for (const HostId source : hosts)
      if (source != destination)
        summary.add(source, destination, route_hops(network, source, destination));
  return summary.result(hosts.size(), all.size());
}

DistanceSummary link_distances(const LinkGraph& graph, const Network& network) {
  constexpr std::int64_t max_steps = 200'000'000;
  const std::int64_t steps_per_source = std::int64_t{network.num_links()} + graph.num_vertices();
  const auto all = working_hosts(network);
  const auto sources = drawn(all, narrow<int>(std::clamp<std::int64_t>(
                                      max_steps / std::max<std::int64_t>(steps_per_source, 1), 16,
                                      max_hosts_for_all_pairs)));
  const auto is_hop = hop_links(network);
  const bool all_hops = std::find(is_hop.begin(), is_hop.end(), false) == is_hop.end();
  Summary summary;
  for (const HostId source : sources) {
    const auto distances = all_hops ? graph.distances_from(number(source))
                                    : fewest_hops_from(graph, is_hop, number(source));
    for (const HostId destination : all) {
      if (source == destination) continue;
      const int distance = distances[index(destination)];
      summary.add(source, destination,
                  distance == LinkGraph::unreachable ? std::nullopt : std::optional(distance));
    }
  }
  return summary.result(sources.size(), all.size());
}

std::vector<std::vector<HostId>> connected_hosts(const LinkGraph& graph, const Network& network,
                                                 int most) {
  std::vector<std::vector<HostId>> groups;
  auto left = working_hosts(network);
  while (!left.empty() && int_size(groups) < most) {
    const auto forth = graph.distances_from(number(left.front()));
    const auto back = graph.distances_to(number(left.front()));
    const auto outside = std::stable_partition(left.begin(), left.end(), [&](HostId host) {
      return forth[index(host)] != LinkGraph::unreachable &&
             back[index(host)] != LinkGraph::unreachable;
    });
    groups.emplace_back(left.begin(), outside);
    left.erase(left.begin(), outside);
  }
  return groups;
}

}  // namespace vtopo::detail
