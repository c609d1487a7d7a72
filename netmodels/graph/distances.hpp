#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Up to this number of hosts all pairs are looked at; above, drawn ones.
inline constexpr int max_hosts_for_all_pairs = 2048;

/// How far the working hosts of a network are from each other, over ordered pairs of two different
/// hosts.
struct DistanceSummary {
  bool exact = true;           ///< all pairs; else those of hosts drawn at random, always the same
  int hosts_looked_at = 0;     ///< exact: all hosts that are up
  int diameter = 0;            ///< of the pairs with a route; a lower bound if not exact
  double mean = 0;             ///< of the pairs with a route
  std::int64_t pairs = 0;      ///< looked at
  std::int64_t unreached = 0;  ///< of them without a route
  std::optional<std::pair<HostId, HostId>> unreached_pair;  ///< the first of them
};

/// Distances in hops of the routes (`Network::hops`).
/// @param max_hosts above which hosts are drawn: where a route is slow to find, fewer may do.
DistanceSummary route_distances(const Network& network, int max_hosts = max_hosts_for_all_pairs);

/// Distances in links of shortest paths, by breadth-first search from hosts: from all or, above
/// 2,048 hosts or when that would take more than about 2e8 steps, from drawn ones to all. Links
/// that are not hops, such as interfaces, are not counted.
/// @param network for its hosts that are up, and for which links are hops.
DistanceSummary link_distances(const LinkGraph& graph, const Network& network);

/// Working hosts in groups that reach each other by links, each ascending, in the order of their
/// first hosts: one group if the network is connected. A host belongs to the first group whose
/// first host it reaches and is reached by. At most `most` groups are looked for.
std::vector<std::vector<HostId>> connected_hosts(const LinkGraph& graph, const Network& network,
                                                 int most = 64);

}  // namespace vtopo::detail
