#pragma once

#include <string>
#include <vector>

#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

/// What the overlay knows of one process, from MPI_Init to MPI_Finalize.
struct Process {
  /// Of this process: all processes of the job, for the messages of neighbourhood collectives,
  /// which the program's own never meet there.
  MPI_Comm messages = MPI_COMM_NULL;
  std::string host;  ///< name of the host that it runs on
};

/// Checks that messages between the processes of a host have a way, where there are several.
/// @throws InputError that names the host.
void check_own_host();

/// Called by each process after SMPI's own initialisation; collective.
void join_job();

/// Whether the calling process has joined and not left.
bool has_joined();

/// Called by each process before SMPI's own end.
void leave_job();

/// @param world_rank of a process that has joined.
/// @throws UsageError if it has not: then the overlay did not see MPI_Init.
const Process& process(int world_rank);

/// Whether the calling process sends the messages of neighbourhood collectives there.
bool carries_neighbour_messages(MPI_Comm comm);

/// Ranks in MPI_COMM_WORLD that have joined and not left.
std::vector<int> joined_ranks();

/// Whether a rank of MPI_COMM_WORLD is one of these.
bool has_joined(int rank);

/// Rank of the calling process in MPI_COMM_WORLD.
int world_rank();

/// The calling process.
const Process& this_process();

/// Rank in MPI_COMM_WORLD of the first process on the host of the calling one.
int first_rank_on_own_host();

/// Key of the attribute that holds the virtual topology of a communicator.
int topology_key();

/// A range of message tags that nobody else has; the first one. Tags start again at 0 when all have
/// been given.
int reserve_tags(int count);

}  // namespace vtopo::detail::overlay
