#pragma once

#include <span>
#include <vector>

#include "topology/ids.hpp"

namespace vtopo {

/// Graph virtual topology (MPI_Graph_create): per rank its neighbours in order; the adjacency may
/// be asymmetric and may hold self loops and multiple edges.
class Graph {
 public:
  /// @param neighbours one list per rank.
  /// @throws InputError if a neighbour is outside [0, number of lists).
  explicit Graph(std::vector<std::vector<Rank>> neighbours);

  int num_ranks() const { return static_cast<int>(neighbours_.size()); }

  /// Neighbours of `rank` in the order of creation (MPI_Graph_neighbors).
  std::span<const Rank> neighbours(Rank rank) const { return neighbours_[index(rank)]; }

 private:
  std::vector<std::vector<Rank>> neighbours_;
};

}  // namespace vtopo
