#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/mpi/run_times.hpp"
#include "sim/mpi/smpi.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::detail::overlay {

/// What the processes of one communicator share: the tags of its neighbourhood messages, and those
/// of its duplicates. The k-th duplicate that a process makes is the k-th that each makes.
struct MessageContext {
  int first_tag = 0;
  int num_tags = 1;
  std::vector<std::shared_ptr<MessageContext>> duplicates;
  std::shared_ptr<TopologyTimes> times;  ///< shared with the duplicates
};

/// The other end of a message: rank in MPI_COMM_WORLD, or MPI_PROC_NULL.
struct Peer {
  int world_rank = MPI_PROC_NULL;
  int tag = 0;
};

/// Whom a process receives from and sends to, in the order of the buffers.
struct Peers {
  std::vector<Peer> sources;
  std::vector<Peer> destinations;
};

/// What a process keeps with a communicator that has a virtual topology, as its attribute.
struct AttachedTopology {
  Communicator communicator;  ///< its processes are the ranks of MPI's communicator
  std::shared_ptr<MessageContext> context;
  std::size_t num_duplicates = 0;  ///< made by this process
  std::optional<Peers> peers;      ///< found by the first neighbourhood collective
};

/// What the communicator carries; null if it has no virtual topology.
AttachedTopology* attached(MPI_Comm comm);

/// Makes a virtual topology the attribute of a new communicator of the same ranks; collective.
void attach(MPI_Comm comm, const Communicator& communicator);

/// Value of an MPI communicator, whether or not it carries a virtual topology; lives as long as the
/// communicator.
/// @param call named in the error.
/// @throws MpiError (MPI_ERR_COMM) for MPI_COMM_NULL.
const Communicator& value_of(MPI_Comm comm, const char* call);

/// Rank of the calling process.
Rank rank_in(MPI_Comm comm);

/// Peers of the calling process in neighbourhood collectives.
/// @throws MpiError (MPI_ERR_COMM) for MPI_COMM_NULL, (MPI_ERR_TOPOLOGY) without a virtual
/// topology.
const Peers& peers_of(MPI_Comm comm, const char* call);

/// Where the time in neighbourhood collectives counts; null without a virtual topology.
std::shared_ptr<TopologyTimes> times_of(MPI_Comm comm);

// Callbacks of the attribute.
int copy_attached(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag);
int delete_attached(MPI_Comm comm, int key, void* value, void* extra);

}  // namespace vtopo::detail::overlay
