#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "netmodels/models/fat_tree/levels.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// `leaf`: hosts below a switch of level 1; `pod`: below the switches of a subtree of level 2.
std::vector<HostParts> fat_tree_parts(const FatTreeLevels& levels);

/// Subtrees of each level below the roots, hosts first. A flow leaves the subtree of its source on
/// every level below the peak, and enters as many: each link is in the cut of one subtree.
std::vector<VertexCells> fat_tree_cuts(const FatTreeLevels& levels);

/// Hosts by hops from any of them.
std::vector<std::int64_t> fat_tree_distance_profile(const FatTreeLevels& levels);

/// Where no level narrows, any half sends at its full injection bandwidth (the tree is
/// rearrangeably non-blocking: Zahavi 2010, as `FatTreeSpec`). Where one does, with an even number
/// of subtrees below the roots: the narrowest level of half of the subtrees, as what a subtree can
/// send grows less and less with the number of its hosts that send.
std::optional<Bisection> fat_tree_bisection(const FatTreeLevels& levels);

/// Levels of switches.
LevelLayout fat_tree_layout(const FatTreeLevels& levels);

}  // namespace vtopo::detail
