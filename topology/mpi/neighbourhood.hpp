#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/comm_graph.hpp"
#include "topology/mpi/cartesian.hpp"
#include "topology/mpi/graphs.hpp"

namespace vtopo {

/// Whom a rank receives from and sends to in MPI neighbourhood collectives, in the order of their
/// buffers; no value stands for MPI_PROC_NULL, whose place in the buffer stays untouched.
struct Neighbourhood {
  std::vector<std::optional<Rank>> sources;       ///< in the order of the receive buffer
  std::vector<std::optional<Rank>> destinations;  ///< in the order of the send buffer

  friend bool operator==(const Neighbourhood&, const Neighbourhood&) = default;  ///< memberwise
};

/// Cartesian: per dimension first the negative, then the positive direction, for sources and
/// destinations alike; no value where an open grid ends. Periodic dimensions of size 1 give the
/// rank itself twice, of size 2 the other rank twice. What is sent in one direction arrives in the
/// place of the opposite direction.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid.
Neighbourhood neighbourhood(const Cartesian& grid, Rank rank);

/// Graph: the neighbours in the order of creation, for sources and destinations alike.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
Neighbourhood neighbourhood(const Graph& graph, Rank rank);

/// Distributed graph: its sources and its destinations as `sources` and `destinations` give them.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
Neighbourhood neighbourhood(const DistGraph& graph, Rank rank);

// Traffic of one neighbourhood exchange: each rank sends to its destinations in that order.

/// Halo exchange of a grid.
/// @param volume bytes per directed edge, one entry for all dimensions or one per dimension.
/// @throws MpiError (MPI_ERR_DIMS) if the number of volumes is neither 1 nor the number of
/// dimensions.
CommGraph make_comm_graph(const Cartesian& grid, std::span<const Bytes> volume);

/// Every rank sends `volume` bytes to each of its neighbours.
CommGraph make_comm_graph(const Graph& graph, Bytes volume);

/// Every edge carries its weight times `volume` bytes.
CommGraph make_comm_graph(const DistGraph& graph, Bytes volume);

}  // namespace vtopo
