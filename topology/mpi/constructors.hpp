#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "topology/comm_graph.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo {

/// What a constructor asks when ranks may be reordered.
struct ReorderRequest {
  const Communicator& communicator;  ///< the old one: which processes there are
  const VirtualTopology& topology;   ///< over the new ranks
  const CommGraph&
      guest;  ///< one exchange over `topology`: 1 byte per edge, or its weight in bytes
};

/// Chooses which process gets which new rank: entry r of the answer is the rank in the old
/// communicator of the process that becomes rank r of the new one. As many entries as the virtual
/// topology has ranks; each old rank at most once. An empty function stands for `reorder = false`:
/// rank r stays r.
using Reorderer = std::function<std::vector<Rank>(const ReorderRequest&)>;

/// Group of the new communicator that carries `topology`: the first processes of the old one, or
/// those that the reorderer chose.
/// @throws MpiError (MPI_ERR_OTHER) if the reorderer's answer is no such choice, and whatever it
/// throws.
ProcessGroup reordered_group(const Communicator& communicator, const VirtualTopology& topology,
                             const Reorderer& reorder);

// The topology constructors of MPI. Each stands for one collective call of all processes of
// `communicator` and returns the communicator of those that belong to the new one; for the others
// (`rank_of` is none) it is MPI_COMM_NULL. Nothing of the old virtual topology is carried over.
// With a `reorder` the ranks may change, without one rank r stays r.

/// Communicator with a Cartesian topology (MPI_Cart_create).
/// @throws MpiError (MPI_ERR_DIMS) if the grid is larger than the group, (MPI_ERR_OTHER) if the
/// reorderer's answer is wrong.
Communicator cart_create(const Communicator& communicator, Cartesian grid,
                         const Reorderer& reorder = {});

/// Communicator with a graph topology (MPI_Graph_create); none at all for a graph of 0 ranks.
/// @throws MpiError (MPI_ERR_ARG) if the graph is larger than the group, (MPI_ERR_OTHER) if the
/// reorderer's answer is wrong.
std::optional<Communicator> graph_create(const Communicator& communicator, Graph graph,
                                         const Reorderer& reorder = {});

/// Communicator with a distributed graph topology of which each process gives the edges at itself
/// (MPI_Dist_graph_create_adjacent).
/// @param by_rank one entry per rank of `communicator`.
/// @throws MpiError as DistGraph does, (MPI_ERR_ARG) for another number of entries, (MPI_ERR_OTHER)
/// if the reorderer's answer is wrong.
Communicator dist_graph_create_adjacent(const Communicator& communicator,
                                        std::span<const AdjacentEdges> by_rank,
                                        const Reorderer& reorder = {});

/// Communicator with a distributed graph topology of which each process gives any edges
/// (MPI_Dist_graph_create).
/// @param by_rank one entry per rank of `communicator`.
/// @throws MpiError as DistGraph does, (MPI_ERR_ARG) for another number of entries, (MPI_ERR_OTHER)
/// if the reorderer's answer is wrong.
Communicator dist_graph_create(const Communicator& communicator,
                               std::span<const EdgeContribution> by_rank,
                               const Reorderer& reorder = {});

/// Communicators of the subgrids that keep some dimensions (MPI_Cart_sub), each with its Cartesian
/// topology, in row-major order of the dropped coordinates.
/// @param remain_dims one per dimension: true keeps it.
/// @throws MpiError (MPI_ERR_TOPOLOGY) without a Cartesian topology, (MPI_ERR_DIMS) for a wrong
/// number of entries.
Partition cart_sub(const Communicator& communicator, const std::vector<bool>& remain_dims);

/// Rank that `cart_create` with the same arguments would give each process (MPI_Cart_map), one
/// entry per old rank; none (MPI_UNDEFINED) for processes outside the grid.
/// @throws MpiError as cart_create.
std::vector<std::optional<Rank>> cart_map(const Communicator& communicator, const Cartesian& grid,
                                          const Reorderer& reorder = {});

/// Rank that `graph_create` with the same arguments would give each process (MPI_Graph_map), one
/// entry per old rank; none (MPI_UNDEFINED) for processes outside the graph.
/// @throws MpiError as graph_create.
std::vector<std::optional<Rank>> graph_map(const Communicator& communicator, const Graph& graph,
                                           const Reorderer& reorder = {});

}  // namespace vtopo
