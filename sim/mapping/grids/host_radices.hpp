#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Slots of hosts as a grid: slot = d0 + size0 * (d1 + size1 * ...), d0 in 0..size0-1.
struct HostRadices {
  std::vector<HostId> slot_hosts;  ///< as many as there are ranks
  std::vector<int> sizes;          ///< the slots of a host first, then its surroundings
  bool is_regular = false;         ///< whether hops follow from the differences in each place
};

/// The slots for `ranks` ranks: of a grid of hosts its dimensions, else the nested groups of the
/// network, each with the same number of groups below, as many as there are in every one that is
/// used; where nothing is known one place for all hosts. Nothing if hosts have different slots or
/// do not divide the ranks.
std::vector<HostRadices> host_radices(const Network& network, const Allocation& allocation,
                                      int ranks);

}  // namespace vtopo::detail
