#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/models/tree/subtrees.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// Specification that gives the same network again: `tree:4:8@1:10`, with rates if they are given.
std::string tree_description(const TreeSpec& spec);

/// Subtrees with the distance within each.
std::vector<HostGroups> tree_groups(const TreeSpec& spec);

/// `subtree`: by level, from the smallest up, without the whole.
std::vector<HostParts> tree_parts(const TreeRows& tree);

/// Subtrees of each level: each link joins one with its parent.
std::vector<VertexCells> tree_cuts(const TreeRows& tree);

/// Hosts of the smallest subtrees, which may be permuted at every level.
HostSites tree_sites(const TreeSpec& spec);

/// Hosts by distance from any.
std::vector<std::int64_t> tree_distance_profile(const TreeRows& tree);

/// With an even number of subtrees below the root, of which none sends more per host than those
/// within it: the links of half of them.
std::optional<Bisection> tree_bisection(const TreeRows& tree);

/// Levels as rows.
LevelLayout tree_picture(const TreeRows& tree);

}  // namespace vtopo::detail
