#pragma once

#include <span>

#include "topology/mpi/dist_graph.hpp"

namespace vtopo::detail {

// What makes the arguments of the distributed graph constructors erroneous; MpiError as DistGraph
// promises.

/// Ranks inside [0, num_ranks), weights finite and >= 0, a number of ranks >= 0.
void check_edges(int num_ranks, std::span<const WeightedEdge> edges);

/// Checks all lists and that both ends of each edge give it equally often with equal weights.
Weighting check_adjacent(std::span<const AdjacentEdges> by_rank);

/// Checks that sources, degrees, destinations and weights fit each other; not the edges themselves.
Weighting check_contributions(std::span<const EdgeContribution> by_rank);

}  // namespace vtopo::detail
