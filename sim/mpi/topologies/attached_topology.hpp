#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/requests.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail::overlay {

/// An error of topology/ as that of an argument, with SMPI's error code of its class.
ArgumentError argument_error(const MpiError& error);

/// `ending_of` a body that asks topology/.
template <class Body>
Ending topology_ending_of(Body&& body) {
  return ending_of([&] {
    try {
      body();
    } catch (const MpiError& error) {
      throw argument_error(error);
    }
  });
}

/// `mpi_function` of a body that asks topology/.
template <class Body>
int topology_function(MPI_Comm comm, Body&& body, std::string_view name = __builtin_FUNCTION()) {
  const Ending ending = topology_ending_of(std::forward<Body>(body));
  return ending.code == MPI_SUCCESS ? MPI_SUCCESS
                                    : raise_error(name, comm, ending.code, ending.sentence);
}

/// What process 0 of a communicator makes for all, which run in one address space; collective. An
/// Uncharged lives.
/// @param make returns a shared pointer.
template <class Make>
std::invoke_result_t<Make> shared_by_all(MPI_Comm comm, Make&& make) {
  struct Handout {
    std::invoke_result_t<Make> value;
    int remaining;
  };
  int rank = 0, size = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  Handout* handout = rank == 0 ? new Handout{make(), size} : nullptr;
  smpi([&] { return PMPI_Bcast(&handout, sizeof handout, MPI_BYTE, 0, comm); });
  const auto value = handout->value;
  if (--handout->remaining == 0) delete handout;
  return value;
}

/// Simulated time that processes spend in neighbourhood collectives over one virtual topology:
/// those of a communicator and its duplicates.
struct TopologyTimes : CallTimes {
  std::string topology;  ///< `cart:4x4p`, `graph`, `dist_graph`
  int ranks = 0;
};

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
std::shared_ptr<CallTimes> times_of(MPI_Comm comm);

/// The attribute can be had from here on; called by each process that has joined the job, the end
/// by the last one that has left it.
void begin_topologies();
void end_topologies();

/// An element of `topologies` in the line of a run (README.md), for each virtual topology.
std::vector<std::string> topology_lines();

}  // namespace vtopo::detail::overlay
