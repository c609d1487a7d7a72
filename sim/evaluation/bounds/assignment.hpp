#pragma once

#include <vector>

namespace vtopo {

/// Least sum of costs of an assignment of rows to columns, each column at most once. Successive
/// shortest paths with potentials (Kuhn 1955; Jonker and Volgenant, "A Shortest Augmenting Path
/// Algorithm for Dense and Sparse Linear Assignment Problems", Computing 1987), O(rows^2 columns).
/// @param costs one row per row, all as long, no shorter than there are rows.
double least_assignment(const std::vector<std::vector<double>>& costs);

}  // namespace vtopo
