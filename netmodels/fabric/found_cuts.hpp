#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_facts.hpp"

namespace vtopo::detail {

/// Cuts of a network of which only the links are known, for `Network::cuts`:
///
/// - subtrees: what hosts and the switches up to a distance from the nearest host make together,
///   one family per distance, as long as there are two such parts. Of a tree or fat tree these are
///   the hosts, the leaf switches, the pods, ...;
/// - where there are none: the cells of `isometric_cells` (planes of a HyperX, halves of a torus),
///   routers with their hosts, and `communities` of them (groups of a dragonfly);
/// - parts that links of more than some bandwidth hold together, of a few bandwidths;
/// - where there are no subtrees, the two sides of `estimate_bisection`.
///
/// None where it is not known between which vertices some link lies. O(links) per family.
std::vector<VertexCells> find_cuts(const Network& network);

}  // namespace vtopo::detail
