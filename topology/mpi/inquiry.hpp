#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "topology/mpi/communicator.hpp"

namespace vtopo {

// The topology inquiry functions of MPI (MPI-5.0, "Topology Inquiry Functions" and "Cartesian Shift
// Coordinates"), all local. `caller` is the rank of the process that asks. A maximum cuts the
// answer to its first entries; it must be >= 0 (MPI_ERR_ARG). Every function throws MpiError with
// class MPI_ERR_TOPOLOGY if the communicator carries no virtual topology or one of another kind,
// and with MPI_ERR_RANK if a rank is outside the communicator.

/// A maximum that cuts nothing.
inline constexpr int no_maximum = std::numeric_limits<int>::max();

/// Kind of virtual topology, in the order of VirtualTopology.
enum class TopologyKind { cart, graph, dist_graph };

/// Kind of the communicator's virtual topology; none stands for MPI_UNDEFINED (MPI_Topo_test).
std::optional<TopologyKind> topo_test(const Communicator& communicator);

/// Result of `graphdims_get`.
struct GraphDims {
  int num_ranks = 0;  ///< of the graph
  int num_edges = 0;  ///< neighbours, summed over all ranks
};

/// Size of the arrays of `graph_get` (MPI_Graphdims_get).
GraphDims graphdims_get(const Communicator& communicator);

/// Result of `graph_get`, as MPI_Graph_create takes it.
struct GraphArrays {
  std::vector<int> index;   ///< per rank r the number of neighbours of ranks 0..r
  std::vector<Rank> edges;  ///< neighbours of rank 0, of rank 1, and so on
};

/// The graph as given at creation (MPI_Graph_get).
GraphArrays graph_get(const Communicator& communicator, int maxindex = no_maximum,
                      int maxedges = no_maximum);

/// Number of dimensions (MPI_Cartdim_get).
int cartdim_get(const Communicator& communicator);

/// Result of `cart_get`: one entry per dimension, in their order.
struct CartDescription {
  std::vector<Dimension> dimensions;  ///< size and periodicity of each
  std::vector<int> coords;            ///< of the caller
};

/// The grid and where `caller` stands in it (MPI_Cart_get); nothing for zero dimensions.
CartDescription cart_get(const Communicator& communicator, Rank caller, int maxdims = no_maximum);

/// Rank at `coords`; periodic coordinates wrap (MPI_Cart_rank). Zero dimensions give rank 0.
/// @throws MpiError (MPI_ERR_ARG) for a wrong number of coordinates or one outside an open
/// dimension.
Rank cart_rank(const Communicator& communicator, std::span<const int> coords);

/// Coordinates of `rank`, one per dimension (MPI_Cart_coords).
std::vector<int> cart_coords(const Communicator& communicator, Rank rank, int maxdims = no_maximum);

/// Whom `caller` receives from and sends to in a shift of all (MPI_Cart_shift).
/// @param disp > 0 towards higher coordinates, < 0 towards lower ones, of any size.
/// @throws MpiError (MPI_ERR_DIMS) if direction is not a dimension, (MPI_ERR_TOPOLOGY) for a grid
/// of zero dimensions.
ShiftRanks cart_shift(const Communicator& communicator, Rank caller, int direction, int disp);

/// Number of neighbours of `rank` (MPI_Graph_neighbors_count).
int graph_neighbors_count(const Communicator& communicator, Rank rank);

/// Neighbours of `rank` in the order of creation (MPI_Graph_neighbors).
std::vector<Rank> graph_neighbors(const Communicator& communicator, Rank rank,
                                  int maxneighbors = no_maximum);

/// Result of `dist_graph_neighbors_count`.
struct DistGraphDegrees {
  int indegree = 0;                             ///< edges into the caller
  int outdegree = 0;                            ///< edges out of the caller
  Weighting weighting = Weighting::unweighted;  ///< whether weights were given
};

/// Number of edges into and out of `caller` (MPI_Dist_graph_neighbors_count).
DistGraphDegrees dist_graph_neighbors_count(const Communicator& communicator, Rank caller);

/// Result of `dist_graph_neighbors`; weights are absent for an unweighted graph.
struct DistGraphNeighbors {
  std::vector<Rank> sources;       ///< of the edges into the caller
  Weights source_weights;          ///< one per source
  std::vector<Rank> destinations;  ///< of the edges out of the caller
  Weights destination_weights;     ///< one per destination
};

/// Edges into and out of `caller`; in the order of the creation call after
/// `dist_graph_create_adjacent` (MPI_Dist_graph_neighbors).
DistGraphNeighbors dist_graph_neighbors(const Communicator& communicator, Rank caller,
                                        int maxindegree = no_maximum,
                                        int maxoutdegree = no_maximum);

}  // namespace vtopo
