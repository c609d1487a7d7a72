#pragma once

#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Least sum of costs of an assignment of rows to columns, each column at most once. Successive
/// shortest paths with potentials (Kuhn 1955; Jonker and Volgenant, "A Shortest Augmenting Path
/// Algorithm for Dense and Sparse Linear Assignment Problems", Computing 1987), O(rows^2 columns).
/// @param costs one row per row, all as long, no shorter than there are rows.
double least_assignment(const std::vector<std::vector<double>>& costs);

/// Prices that prove a least assignment (dual of the linear program): the price of a row and that
/// of a column add up to no more than their cost, no column has a price above 0, and all of them
/// add up to the least sum.
struct AssignmentPrices {
  std::vector<double> rows;
  std::vector<double> columns;
};

/// @param costs as above.
AssignmentPrices least_assignment_prices(const std::vector<std::vector<double>>& costs);

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
