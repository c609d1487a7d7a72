#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"

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

/// Part of the hosts of an allocation: a range of `HostHierarchy::order`, halved until it is one
/// host.
struct HostPart {
  int first = 0;
  int last = 0;              ///< one past the end
  std::int64_t slots = 0;    ///< of its hosts, each counted with at most the ranks of the job
  int ranks = 0;             ///< that the part takes, exactly
  int halves[2] = {-1, -1};  ///< parts; -1 for a single host
  bool is_host() const { return halves[0] < 0; }
};

/// Hosts of an allocation halved again and again along the structure of their network, and how many
/// ranks each part takes: all slots, or, where there are more, as few parts as hold the ranks.
struct HostHierarchy {
  std::vector<Place> order;
  std::vector<HostPart> parts;  ///< the whole first, parts before their halves; empty: no hosts

  /// That of a part of a single host.
  Place place(int part) const {
    return order[static_cast<std::size_t>(parts[static_cast<std::size_t>(part)].first)];
  }

  /// The embedding that puts each rank into a part of a single host.
  /// @param part_of one entry per rank.
  Embedding embedding(const std::vector<int>& part_of, const Allocation& allocation) const;
};

/// What the halves follow: the levels of fat trees and dragonflies, the longest dimension of tori
/// and meshes; else groups of hosts that are closer to each other than to all others, and where
/// there are none two hosts far from each other and who is closer to which.
HostHierarchy host_hierarchy(const Network& network, const Allocation& allocation,
                             const HopTable& table, int num_ranks);

/// Where nearly all slots are needed, ranks are dealt in proportion to them: the few that are left
/// give room to a search everywhere.
HostHierarchy dealt_evenly(HostHierarchy hierarchy);

}  // namespace vtopo::detail
