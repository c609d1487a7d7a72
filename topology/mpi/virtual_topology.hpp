#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "topology/comm_graph.hpp"
#include "topology/mpi/cartesian.hpp"
#include "topology/mpi/graphs.hpp"
#include "topology/mpi/neighbourhood.hpp"

namespace vtopo {

/// Any of the three kinds of MPI process topology.
using VirtualTopology = std::variant<Cartesian, Graph, DistGraph>;

/// Number of ranks that the topology is over.
int num_ranks(const VirtualTopology& topology);

/// Neighbourhood of `rank` in a topology of any kind.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the topology.
Neighbourhood neighbourhood(const VirtualTopology& topology, Rank rank);

/// Virtual topology of a specification: `cart:8x8x8` (open), `cart:8px8p` (p: periodic),
/// `hypercube:12`, `graph:FILE`, `dist:FILE`, `stencil:8x8:moore` (see Stencil; `neumann` is a
/// grid, the others are distributed graphs), `rgg:64:8:1` (see RandomGeometric) and
/// `shuffle:1:cart:8x8` (see GuestTopology; both distributed graphs with weights).
/// @throws UsageError for a malformed specification, InputError for a malformed file.
VirtualTopology parse_virtual_topology(std::string_view spec);

/// Traffic of one neighbourhood exchange over the topology.
/// @param volume bytes per directed edge; one entry, or one per dimension of a Cartesian grid.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const VirtualTopology& topology, std::span<const Bytes> volume);

}  // namespace vtopo
