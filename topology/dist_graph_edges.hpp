#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo {

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

}  // namespace vtopo
