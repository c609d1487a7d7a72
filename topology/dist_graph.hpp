#pragma once

#include <span>
#include <vector>

#include "topology/ids.hpp"

namespace vtopo {

/// One edge of a distributed graph; `weight` is 1 for an unweighted graph.
struct WeightedEdge {
  Rank source{};
  Rank destination{};
  double weight = 1;
};

/// Distributed graph virtual topology (MPI_Dist_graph_create): directed, weighted edges in the
/// order of creation.
class DistGraph {
 public:
  /// @throws InputError if a rank is outside [0, num_ranks) or a weight is negative or not finite.
  DistGraph(int num_ranks, std::vector<WeightedEdge> edges);

  int num_ranks() const { return num_ranks_; }
  std::span<const WeightedEdge> edges() const { return edges_; }

 private:
  int num_ranks_;
  std::vector<WeightedEdge> edges_;
};

}  // namespace vtopo
