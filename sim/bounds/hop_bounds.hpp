#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/bounds/guest_cuts.hpp"
#include "sim/bounds/host_profiles.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Heaviest volumes go to the nearest slots (rearrangement inequality), each rank on the host where
/// that costs least. Every pair is seen from both of its ranks, hence half the sum.
double nearest_slots_bound(const RankTypes& ranks, const HostProfiles& hosts);

/// What the assignment minimises, twice the bound: entry (rank, slot) is the cost of the rank's
/// partners on the slots nearest to that slot. For profiles that are known by place.
std::vector<std::vector<double>> assignment_costs(const RankTypes& ranks, const HostProfiles& hosts,
                                                  const Allocation& allocation);

/// The same with one rank per slot; 0 where there are more than 256 slots or where all hosts are
/// alike and it would be the same.
double assignment_bound(const RankTypes& ranks, const HostProfiles& hosts,
                        const Allocation& allocation);

/// Least hop sum of a hypercube on a product of paths and cycles of power-of-two sizes, one rank
/// per host of the whole machine (arXiv 2108.08177, 2201.04287 and 2302.13237; Gray codes attain
/// it); 0 if guest and network are not of that kind.
double hypercube_bound(const GuestCuts& guest, const Network& network,
                       const Allocation& allocation);

/// Numbers of ranks that a side of a cut may have.
struct SideRanks {
  int fewest;
  int most;
};

/// @param slots of the side; `all` of the allocation.
SideRanks ranks_on(std::int64_t slots, std::int64_t all, int ranks);

/// Numbers of ranks that any of the sides may have, sides without slots left out.
SideRanks ranks_on_any(const CutFamily& family, std::int64_t all, int ranks);

/// Each host of the allocation as a side, without capacities.
CutFamily host_sets(const Allocation& allocation);

/// Volume across all cuts of a family, both ways, each crossing counted.
double least_across(GuestCuts& guest, const CutFamily& family, std::int64_t slots);

/// Hops of the least volumes across the cuts.
double cuts_bound(GuestCuts& guest, const std::vector<CutFamily>& families, std::int64_t slots);

/// Sum over disjoint cells that share all ranks of what the ranks of each exchange with the others
/// at least, whatever their numbers: the linear program over the lower convex hulls of these
/// volumes, solved by its one price, that of a rank. 0 where there are too many sizes to look at.
double least_shared_sum(GuestCuts& guest, const CutFamily& family, std::int64_t slots);

/// Least time in which cells can be so full that they hold all ranks, each sending over its
/// capacity what so many ranks exchange at least. Seconds.
double least_shared_time(GuestCuts& guest, const CutFamily& family, std::int64_t slots);

}  // namespace vtopo::detail
