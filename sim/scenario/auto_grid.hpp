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

/// The scenarios that `cart:auto` stands for, one per balanced grid, those with less halo first.
/// They divide `--domain`; without one a cube whose cubic blocks exchange `--bytes` per neighbour.
/// Balanced are grids whose halo is at most half as large again as the smallest, twelve at most; of
/// grids that differ in the order of equal extents, one. A scenario with another topology is
/// itself.
/// @throws UsageError for missing ranks, and if no grid of so many ranks divides the domain.
std::vector<Scenario> with_balanced_grids(const Scenario& scenario);

/// Sentence on the grids and the domain of such scenarios: what was assumed.
std::string describe_grids(const Scenario& given, const std::vector<Scenario>& grids);

}  // namespace vtopo::detail
