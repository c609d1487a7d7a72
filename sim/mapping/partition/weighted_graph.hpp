#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Arc of a weighted graph as seen from one end.
struct WeightedArc {
  int target = 0;
  double weight = 0;  ///< bytes, both directions together
};

/// Undirected graph with weights of vertices (ranks) and edges (bytes), each edge at both ends.
struct WeightedGraph {
  std::vector<std::size_t> offsets{0};  ///< one entry per vertex and one more
  std::vector<WeightedArc> arcs;
  std::vector<int> weights;  ///< ranks that a vertex stands for, one entry per vertex

  int num_vertices() const { return static_cast<int>(weights.size()); }
  std::span<const WeightedArc> of(int vertex) const {
    const std::size_t first = offsets[static_cast<std::size_t>(vertex)];
    return {arcs.data() + first, offsets[static_cast<std::size_t>(vertex) + 1] - first};
  }
  /// Ends the arcs of the next vertex.
  void close_vertex(int weight) {
    offsets.push_back(arcs.size());
    weights.push_back(weight);
  }
};

/// The guest with one vertex per rank.
WeightedGraph guest_graph(const Partners& partners);

/// Subgraph of some vertices, numbered as in `vertices`.
/// @param local scratch: one entry per vertex of the graph, all -1 before and after.
WeightedGraph induced_graph(const WeightedGraph& graph, std::span<const int> vertices,
                            std::vector<int>& local);

/// Graph in which vertices of equal `coarse_of` are one; edges inside disappear.
WeightedGraph contracted_graph(const WeightedGraph& graph, std::span<const int> coarse_of,
                               int num_coarse);

}  // namespace vtopo::detail
