#pragma once

#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Smallest cut found by Fiduccia-Mattheyses passes (DAC 1982) over all vertices, balanced over the
/// working hosts, from several starts: hosts in the order of ids, of breadth-first searches from
/// two ends, of each coordinate where hosts have some, and of the Fiedler vector (power
/// iteration). An upper bound of the bisection, the same on every machine; O(links log links) per
/// pass.
Bisection estimate_bisection(const LinkGraph& graph, const Network& network);

/// Smallest cut between planes of a network whose hosts have coordinates, of those that halve an
/// even dimension. An upper bound of the bisection, in no time; nothing if all sizes are odd.
std::optional<Bisection> smallest_plane_cut(const Network& network);

/// The search behind `estimate_bisection`: side (0 or 1) of every vertex.
std::vector<char> smallest_cut_found(const LinkGraph& graph, const Network& network);

}  // namespace vtopo::detail
