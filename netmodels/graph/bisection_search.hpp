#pragma once

#include <vector>

#include "netmodels/graph/link_graph.hpp"

namespace vtopo::detail {

/// The search behind `estimate_bisection`: side (0 or 1) of every vertex. Internal to this room.
std::vector<char> smallest_cut_found(const LinkGraph& graph, const Network& network);

}  // namespace vtopo::detail
