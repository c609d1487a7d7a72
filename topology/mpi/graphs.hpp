#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
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

/// Whether the edges of a distributed graph were given with weights or with MPI_UNWEIGHTED.
enum class Weighting : bool { unweighted = false, weighted = true };

/// Hints of an MPI_Info: keys and values; empty stands for MPI_INFO_NULL. vtopo keeps them for the
/// reorderer and reads none itself.
using Info = std::map<std::string, std::string>;

/// Weights of a list of edges, one per edge: absent stands for MPI_UNWEIGHTED, empty for
/// MPI_WEIGHTS_EMPTY (a weighted graph to which this process gives no edge).
using Weights = std::optional<std::vector<double>>;

/// One edge of a distributed graph; `weight` is 1 for an unweighted graph.
struct WeightedEdge {
  Rank source{};       ///< rank that sends
  Rank destination{};  ///< rank that receives
  double weight = 1;   ///< finite and >= 0
};

/// What one process passes to MPI_Dist_graph_create_adjacent: the edges that it is an end of.
struct AdjacentEdges {
  std::vector<Rank> sources;       ///< of the edges into this process
  Weights source_weights;          ///< of the edges from `sources`
  std::vector<Rank> destinations;  ///< of the edges out of it
  Weights destination_weights;     ///< of the edges to `destinations`
  Info info{};                     ///< equal on all processes
};

/// What one process passes to MPI_Dist_graph_create: edges between any ranks. The first
/// `degrees[0]` destinations belong to `sources[0]`, the next `degrees[1]` to `sources[1]`, and so
/// on.
struct EdgeContribution {
  std::vector<Rank> sources;       ///< any ranks of the communicator
  std::vector<int> degrees;        ///< one per source
  std::vector<Rank> destinations;  ///< as many as the sum of `degrees`
  Weights weights;                 ///< one per destination
  Info info{};                     ///< equal on all processes
};

/// The other end of an edge; `weight` is 1 for an unweighted graph.
struct WeightedNeighbour {
  Rank rank{};        ///< its rank
  double weight = 1;  ///< finite and >= 0

  /// Equal if rank and weight are.
  friend bool operator==(const WeightedNeighbour&, const WeightedNeighbour&) = default;
};

/// Distributed graph virtual topology (MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent):
/// per rank its sources and its destinations in order, with weights; multiple edges and self loops
/// are kept.
class DistGraph {
 public:
  /// Edges in any order; each rank has its sources and its destinations in the order of `edges`.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, num_ranks), (MPI_ERR_ARG) if a weight
  /// is negative or not finite.
  DistGraph(int num_ranks, std::span<const WeightedEdge> edges,
            Weighting weighting = Weighting::weighted, Info info = {});

  /// Each rank has its sources and its destinations in the order of its own lists, as MPI-5.0
  /// requires
  /// ("Topology Inquiry Functions").
  /// @param by_rank one entry per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, number of entries), (MPI_ERR_ARG) if
  /// weights are negative, too few, too many or not given by all, or if the two ends of an edge do
  /// not give it equally often with equal weights, (MPI_ERR_INFO) if the info differs between
  /// ranks.
  explicit DistGraph(std::span<const AdjacentEdges> by_rank);

  /// Edges given by any rank for any rank; each rank has its sources and its destinations in the
  /// order of the ranks that gave them, and of each one's lists.
  /// @param by_rank one entry per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, number of entries), (MPI_ERR_ARG) if
  /// degrees or weights are negative, too few, too many or not given by all, (MPI_ERR_INFO) if the
  /// info differs between ranks.
  explicit DistGraph(std::span<const EdgeContribution> by_rank);

  /// Number of ranks, those without edges included.
  int num_ranks() const { return static_cast<int>(destinations_.num_rows()); }
  /// Number of directed edges; each of several parallel ones counts.
  std::size_t num_edges() const { return destinations_.num_entries(); }
  Weighting weighting() const { return weighting_; }  ///< whether weights were given
  const Info& info() const { return info_; }          ///< hints of the creation call

  /// Edges into `rank`, each with the rank that it comes from.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const WeightedNeighbour> sources(Rank rank) const;

  /// Edges out of `rank`, each with the rank that it goes to.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const WeightedNeighbour> destinations(Rank rank) const;

 private:
  CompressedRows<WeightedNeighbour> sources_;
  CompressedRows<WeightedNeighbour> destinations_;
  Weighting weighting_;
  Info info_;
};

}  // namespace vtopo
