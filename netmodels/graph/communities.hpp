#pragma once

#include <vector>

#include "netmodels/graph/joined_vertices.hpp"

namespace vtopo::detail {

/// Communities of a graph, from small ones to large ones: each entry has the community of every
/// vertex, numbered by their first vertices. Vertices move to the neighbouring community that
/// raises the modularity most, then communities become the vertices of a smaller graph, until no
/// move helps (V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre: Fast unfolding of
/// communities in large networks, J. Stat. Mech. 2008). Deterministic: vertices in ascending
/// order, ties to the lowest community. The groups of a dragonfly are such communities.
///
/// @return nothing where no two vertices belong together; O(links) per sweep.
std::vector<std::vector<int>> communities(WeightedNeighbours graph);

}  // namespace vtopo::detail
