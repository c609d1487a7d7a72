#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "topology/comm_graph.hpp"
#include "topology/guests/parallel_program.hpp"
#include "topology/guests/random_geometric.hpp"
#include "topology/guests/stencil.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

/// A virtual topology before its edges are listed: it may have more than fit anywhere.
struct GuestTopology {
  /// The topology before any shuffling.
  std::variant<VirtualTopology, Stencil, RandomGeometric, ParallelProgram> kind;
  std::optional<std::uint64_t> shuffle_seed;  ///< absent: ranks are numbered as the kind has them
};

/// Guest of a specification: all that `parse_virtual_topology` reads, without listing edges, and
/// `shuffle:SEED:SPEC`, the topology SPEC with its ranks renumbered at random: what an application
/// hands over that numbered its ranks without regard to the grid.
/// @throws UsageError for a malformed specification, InputError for a malformed file.
GuestTopology parse_guest_topology(std::string_view spec);

int num_ranks(const GuestTopology& topology);

/// The grid that ranks are numbered by; null if there is none, as in shuffled topologies.
const Cartesian* grid_of(const GuestTopology& topology);

/// The same of the topology before any shuffling.
const Cartesian* grid_inside(const GuestTopology& topology);

/// Directed edges that the topology will have, at most; 0 for graphs, which are in memory already.
double max_edges(const GuestTopology& topology);

/// Traffic of one exchange.
/// @param volume as for the kind: one entry for all, or one per dimension of a grid.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const GuestTopology& topology, std::span<const Bytes> volume);

/// The graph with rank r renamed to the r-th number of a random permutation. Edges of a rank keep
/// their order.
CommGraph shuffled(const CommGraph& graph, std::uint64_t seed);

/// The same edges as a distributed graph; weights are volumes in bytes.
/// @throws UsageError for more than 50 million edges, which would not fit into memory.
DistGraph make_dist_graph(const GuestTopology& topology);

}  // namespace vtopo
