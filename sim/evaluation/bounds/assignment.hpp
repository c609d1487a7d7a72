#pragma once

#include <vector>

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

}  // namespace vtopo::detail
