#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Some of the free hosts: their positions in `FreeHosts::free`, ascending.
using HostSet = std::vector<int>;

/// What a job may ask for.
struct FreeHosts {
  const Network& network;  ///< that they are hosts of
  Allocation free;         ///< hosts that may be asked for, ascending
  int ranks = 1;           ///< of the job, >= 1

  /// Number of free hosts.
  int size() const { return free.num_hosts(); }
  /// The host at a position.
  HostId host(int position) const { return free.hosts[index(position)]; }
  /// Ranks that it takes.
  int slots(int position) const { return free.slots[index(position)]; }
};

/// Free hosts in ascending order, as batch systems fill them.
/// @throws FitError if the ranks do not fit.
FreeHosts make_free_hosts(const Network& network, const Allocation& free, int ranks);

/// The first hosts of an order that have slots for all ranks; nothing if it has too few.
std::optional<HostSet> take_hosts(const FreeHosts& from, std::span<const int> order);

/// Whether a set has slots for all ranks.
bool has_room(const FreeHosts& from, const HostSet& set);

/// The allocation that a set is.
Allocation allocation_of(const FreeHosts& from, const HostSet& set);

}  // namespace vtopo::detail
