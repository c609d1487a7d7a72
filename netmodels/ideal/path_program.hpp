#pragma once

#include <optional>
#include <vector>

#include "netmodels/load_routing/legs.hpp"

namespace vtopo::detail {

/// Optimum of a linear program over given paths.
struct PathOptimum {
  std::vector<std::vector<double>> volumes;  ///< of each path of each demand
  std::vector<double> prices;                ///< dual: of each link, per unit of load
};

/// Volumes of these paths that minimise the largest congestion, and the prices of links that prove
/// it, by the simplex method of Clp (J. Forrest et al., COIN-OR).
/// @param paths of each demand, at least one; @param volume of each demand.
/// @returns nothing if vtopo was built without Clp, or for a problem that would take it long.
std::optional<PathOptimum> optimal_volumes(const std::vector<std::vector<LoadedPath>>& paths,
                                           const std::vector<double>& volume,
                                           const std::vector<double>& capacity);

}  // namespace vtopo::detail
