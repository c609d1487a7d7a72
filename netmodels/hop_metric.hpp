#pragma once

#include <variant>
#include <vector>

#include "netmodels/host_coordinates.hpp"
#include "netmodels/host_groups.hpp"

namespace vtopo {

/// Hops between hosts of a grid: what each axis adds (the difference of coordinates on a path, the
/// shorter way around on a ring, 1 on a complete axis), and `host_hops` between different hosts.
struct GridMetric {
  HostCoordinates grid;
  int host_hops = 0;
};

/// Hops between hosts of a tree: exactly those of the smallest group that both are in. The last
/// level is the whole network.
struct TreeMetric {
  std::vector<HostGroups> levels;  ///< smallest groups first
};

/// Hops depend on the routers of both hosts only, are the same in both directions and at most 255.
/// Hosts of router r are r * hosts_per_router + k.
struct RouterMetric {
  int hosts_per_router = 1;
};

/// The rule by which `Network::hops` follows from the numbers of both hosts, for readers that ask
/// millions of times in a second: each has such a rule in a form that compilers inline. Nothing
/// where no rule gives all hops exactly.
using HopMetric = std::variant<std::monostate, GridMetric, TreeMetric, RouterMetric>;

}  // namespace vtopo
