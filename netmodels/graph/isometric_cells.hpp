#pragma once

#include <optional>
#include <vector>

#include "netmodels/graph/joined_vertices.hpp"
#include "netmodels/network_answers.hpp"

namespace vtopo::detail {

/// What the edges of one factor lie between.
struct FactorCells {
  std::vector<int> cell_of;  ///< one entry per vertex; along a ring one after the other
  int count = 0;             ///< cells are 0..count-1
  /// How these edges join the cells; nothing: neither all pairs nor a ring.
  std::optional<AxisKind> joined = {};
};

/// The cells of each factor of a connected graph: edges are of one factor if they are related by
/// d(a,c) + d(b,d) != d(a,d) + d(b,c), for edges a-b and c-d, or by a chain of such edges; without
/// the edges of a factor the graph falls into its cells, and the distance of two vertices is the
/// sum over factors of the distance of their cells (R. L. Graham, P. M. Winkler: On isometric
/// embeddings of graphs, Trans. AMS 288, 1985). For a HyperX these are the planes of each
/// dimension, for a mesh or an even ring the cuts between two halves. One of the edges of a
/// relation may be taken from a spanning tree (T. Feder: Product graph representations, J. Graph
/// Theory 16, 1992), hence O(vertices x edges) time and O(edges) memory. Weights do not count.
///
/// @return one entry per factor, with the cell of every vertex; nothing for a graph with one
///   factor that is not a ring, that is not connected or that needs more than `max_steps` steps.
std::vector<FactorCells> isometric_cells(const WeightedNeighbours& graph, double max_steps);

}  // namespace vtopo::detail
