#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// The topology that stands for every balanced grid of `--ranks` ranks.
inline constexpr std::string_view auto_grid = "cart:auto";

/// Whether the text is a grid without its kind: `32x32x32`, `32px32p`, `64p`.
bool is_bare_grid(std::string_view text);

/// `cart:4x4x2`: three sizes as close to each other as possible.
std::string cubic_grid(int ranks);

/// What `cart:auto` stands for.
struct BalancedGrids {
  std::vector<Scenario> scenarios;  ///< one per grid, those with less halo first
  std::string assumed;              ///< sentence on the grids and the domain
};

/// The balanced grids of the ranks of a scenario with `cart:auto`.
/// They divide `--domain`; without one a cube whose cubic blocks exchange `--bytes` per neighbour.
/// Balanced are grids whose halo is at most half as large again as the smallest, twelve at most; of
/// grids that differ in the order of equal extents, one.
/// @throws UsageError for missing ranks, and if no grid of so many ranks divides the domain.
BalancedGrids balanced_grids(const Scenario& scenario);

}  // namespace vtopo::detail
