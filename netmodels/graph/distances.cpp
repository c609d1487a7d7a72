#include "netmodels/graph/distances.hpp"

#include <algorithm>
#include <span>

#include "netmodels/working_hosts.hpp"
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
  Summary summary;
  for (const HostId source : sources) {
    const auto distances = graph.distances_from(number(source));
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
