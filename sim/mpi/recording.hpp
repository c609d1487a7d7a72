#pragma once

#include <optional>

#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

/// Whether VTOPO_RECORD asks for the traffic between the ranks of MPI_COMM_WORLD.
bool records();

/// Called by each process of a job of that many, before the others.
void note_process(int size);

/// From here on, what the calling process sends counts. It has received a message before.
/// @throws UsageError if the messages of SMPI pass unseen: the library is not preloaded.
void begin_recording();

/// Leaves the traffic of the calling process out, or takes it in again.
void pause_recording(bool pause);

/// From here on, nothing of the calling process counts.
void end_recording();

/// Writes the file of VTOPO_RECORD, in the format of sim/record; once all have ended.
/// @throws InputError if it cannot be written.
void write_recording();

/// What is known of a message that a process of the program, or SMPI for it, has asked for.
struct SeenMessage {
  bool sent = false;  ///< by the process that asked; else received
  int partner = 0;    ///< rank in MPI_COMM_WORLD; negative: any
  int tag = 0;
};

/// The message behind a request; nothing for none and where messages are not recorded.
std::optional<SeenMessage> seen_message(MPI_Request request);

/// Rank in MPI_COMM_WORLD of an actor of SimGrid; -1 for one that has not joined. Safe in signal
/// handlers.
int rank_of_actor(long actor);

}  // namespace vtopo::detail::overlay
