#pragma once

#include <span>
#include <vector>

#include "topology/base/compressed_rows.hpp"
#include "topology/base/ids.hpp"

namespace vtopo {

/// Checks the array `index` of MPI_Graph_create alone, before anything is read from `edges`.
/// @throws MpiError (MPI_ERR_ARG) if it descends or starts below 0.
void check_index(std::span<const int> index);

/// Graph virtual topology (MPI_Graph_create): per rank its neighbours in order; the adjacency may
/// be asymmetric and may hold self loops and multiple edges.
class Graph {
 public:
  /// @param neighbours one list per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a neighbour is outside [0, number of lists), (MPI_ERR_ARG)
  /// if there are more than 2^31-1 edges.
  explicit Graph(const std::vector<std::vector<Rank>>& neighbours);

  /// The arrays of MPI_Graph_create: `index[r]` counts the neighbours of ranks 0..r, `edges` lists
  /// the neighbours of rank 0, of rank 1, and so on.
  /// @throws MpiError (MPI_ERR_ARG) if the index descends or does not end with the number of edges,
  /// (MPI_ERR_RANK) if an edge is outside [0, number of ranks).
  Graph(std::span<const int> index, std::span<const Rank> edges);

  /// Number of ranks, those without neighbours included.
  int num_ranks() const { return static_cast<int>(neighbours_.num_rows()); }
  /// Number of neighbours, summed over all ranks.
  int num_edges() const { return static_cast<int>(neighbours_.num_entries()); }

  /// Neighbours of `rank` in the order of creation (MPI_Graph_neighbors).
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const Rank> neighbours(Rank rank) const;

  /// Neighbours of all ranks, ranks ascending: the array `edges` of MPI_Graph_get.
  std::span<const Rank> edges() const { return neighbours_.entries(); }

  /// The array `index` of MPI_Graph_get: number of neighbours of ranks 0..r for each rank r.
  std::vector<int> index() const;

 private:
  CompressedRows<Rank> neighbours_;
};

}  // namespace vtopo
