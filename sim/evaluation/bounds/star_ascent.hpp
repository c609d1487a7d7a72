#pragma once

#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/evaluation/bounds/assignment.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Prices of a rank's partners (ascending) and of places, if the rank is on one place: a partner on
/// a slot of another costs no less than the prices of both, and no place has a price above 0.
struct StarPrices {
  std::vector<double> partners;
  std::vector<double> places;
};

/// Each pair of partners pays its volume times hops in two shares, half each to begin with, by the
/// places of both: one to the star of either rank. The star of a rank on a place is the least that
/// its partners cost on other slots, each on one of its own.
struct StarBound {
  double value = 0;  ///< what the prices add up to, less rounding
  /// By rank and its place: what proves that the star costs so much. Of a pair on two places both
  /// prices of the partner and both of its place add up to no more than volume times hops.
  std::vector<std::vector<StarPrices>> stars;
  AssignmentPrices prices;  ///< of ranks and slots: add up to no more than the star
};

/// Gilmore's and Lawler's bound, raised by moving shares from stars that have slack (dual ascent:
/// Hahn and Grant, "Lower bounds for the quadratic assignment problem based upon a dual
/// formulation", Operations Research 1998). Nothing above 256 slots, where hosts have no route,
/// and where there are too many shares.
std::optional<StarBound> ascend_stars(const Partners& partners, const Network& network,
                                      const Allocation& allocation);

}  // namespace vtopo::detail
