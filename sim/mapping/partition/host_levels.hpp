#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Where the hosts of an allocation stand in their network.
struct HostLevels {
  /// One row per level from the top of the machine down, or per dimension; one entry per place.
  /// Hosts of equal keys on a level and all above it share a switch, chassis, group or the like.
  std::vector<std::vector<int>> keys;
  bool are_dimensions = false;  ///< keys are coordinates: neighbours differ by one
};

/// Coordinates of the routers, or the network's hierarchy; else groups of hosts within some number
/// of hops, for each number for which the groups are apart; no rows if there is none.
HostLevels host_levels(const Network& network, const Allocation& allocation, const HopTable& table);

}  // namespace vtopo::detail
