#pragma once

#include <optional>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A path, or several in fixed proportions, with the volume that takes it.
struct LoadedPath {
  std::vector<LinkShare> links;  ///< each once
  double volume = 0;
  double best_volume = 0;  ///< in the best routing so far
  int idle_rounds = 0;     ///< without volume
  int by = -1;             ///< intermediate or last vertex between shortest legs; -1: other paths
};

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
