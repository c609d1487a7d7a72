#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// What the overlay knows of one process, from MPI_Init to MPI_Finalize.
struct Process {
  /// Of this process: all processes of the job, for the messages of collectives that are made here,
  /// which the program's own never meet there.
  MPI_Comm messages = MPI_COMM_NULL;
  std::string host;  ///< name of the host that it runs on
  std::string node;  ///< of the machine that it is on, of which hosts may be parts
};

/// What programs see of hosts; without it, each is a machine.
struct Hardware {
  std::function<std::string(const std::string& host)> node_of;
  /// Links between two hosts of one machine; 0 for a host and itself.
  std::function<int(const std::string& host, const std::string& other)> distance;
};

/// From the next `join_job` on.
void set_hardware(Hardware hardware);

/// Checks that messages between the processes of a host have a way, where there are several.
/// @throws InputError that names the host.
void check_own_host();

/// Called by each process after SMPI's own initialisation; collective.
/// @throws UsageError if traffic is to be recorded and the messages of SMPI pass unseen: the
/// library is not preloaded.
void join_job();

/// Whether the calling process has joined and not left.
bool has_joined();

/// Called by each process that has joined, before SMPI's own end. The last one writes the file of
/// VTOPO_RECORD, in the format of sim/record.
/// @returns whether it is the last one.
/// @throws InputError if the file cannot be written.
bool leave_job();

/// @param world_rank of a process that has joined.
/// @throws UsageError if it has not: then the overlay did not see MPI_Init.
const Process& process(int world_rank);

/// Ranks in MPI_COMM_WORLD that have joined and not left.
std::vector<int> joined_ranks();

/// Whether a rank of MPI_COMM_WORLD is one of these.
bool has_joined(int rank);

/// Rank of the calling process in MPI_COMM_WORLD.
int world_rank();

/// The calling process.
const Process& this_process();

/// Rank in MPI_COMM_WORLD of the first process on the machine of the calling one.
int first_rank_on_own_node();

/// What is one level smaller than all that these ranks of MPI_COMM_WORLD are on together: the
/// first of them that shares it with the calling one; nothing if there is no such level.
std::optional<int> first_rank_on_smaller_part(const std::vector<int>& ranks);

/// Rank in MPI_COMM_WORLD of an actor of SimGrid; -1 for one that has not joined. Safe in signal
/// handlers.
int rank_of_actor(long actor);

/// That of the calling one.
int rank_of_this_actor();

/// Whether VTOPO_RECORD asks for the traffic between the ranks of MPI_COMM_WORLD.
bool records();

/// Leaves the traffic of the calling process out, or takes it in again.
void pause_recording(bool pause);

/// What is known of a message that a process of the program, or SMPI for it, has asked for.
struct SeenMessage {
  bool sent = false;  ///< by the process that asked; else received
  int partner = 0;    ///< rank in MPI_COMM_WORLD; negative: any
  int tag = 0;
};

/// The message behind a request; nothing for none and where messages are not recorded.
std::optional<SeenMessage> seen_message(MPI_Request request);

}  // namespace vtopo::detail::overlay
