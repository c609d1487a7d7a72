#pragma once

#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "sim/evaluation/bounds/assignment.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Each pair of partners pays its volume times hops in two shares, half each to begin with, by the
/// places of both: one to the star of either rank. The star of a rank on a place is the least that
/// its partners cost on other slots, each on one of its own.
struct StarBound {
  double value = 0;  ///< what the prices add up to, less rounding
  /// By partner (ascending) of each rank, place of the rank, place of the partner; the shares of a
  /// pair on two places add up to volume times hops.
  std::vector<double> shares;
  AssignmentPrices prices;  ///< of ranks and slots: add up to no more than the star
};

/// Gilmore's and Lawler's bound, raised by moving shares from stars that have slack (dual ascent:
/// Hahn and Grant, "Lower bounds for the quadratic assignment problem based upon a dual
/// formulation", Operations Research 1998). Nothing above 256 slots, where hosts have no route,
/// and where there are too many shares.
std::optional<StarBound> ascend_stars(const Partners& partners, const Network& network,
                                      const Allocation& allocation);

}  // namespace vtopo::detail
