#pragma once

#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// One dimension of a host grid.
struct HostDimension {
  int size = 1;
  bool wraps = false;

  friend bool operator==(const HostDimension&, const HostDimension&) = default;
};

/// Allocated hosts of a grid, such as a torus or mesh, that fill a box of its routers, each router
/// with the same number of slots. Cell = c0 + size0 * (c1 + size1 * ...): the first dimension is
/// the fastest, as in the network.
struct HostGrid {
  std::vector<HostDimension> dimensions;  ///< of the whole network; may have size 1
  int capacity = 1;                       ///< slots per cell
  std::vector<HostId> slot_hosts;         ///< `capacity` entries per cell, cell after cell

  int num_cells() const { return static_cast<int>(slot_hosts.size()) / capacity; }
};

/// The grid that an allocation fills; nothing if the network's hosts form none, or those of the
/// allocation are not a box, or slots differ. A dimension wraps if its ends are neighbours: on a
/// ring if the box has all of it, on a complete axis always.
std::optional<HostGrid> host_grid(const Network& network, const Allocation& allocation);

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
