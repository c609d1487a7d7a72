#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mpi/smpi_repairs/intercommunicators.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// One end of a message, by rank in the call's communicator.
struct MessageEnd {
  int rank = MPI_PROC_NULL;
  int tag = 0;
};

/// A function of MPI that a process has called and that may block.
struct OpenCall {
  std::string_view name{};  ///< `MPI_Recv`, lives as long as the call; empty: none
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;  ///< of comm, or as given; InCall frees it; null: all processes
  bool collective = false;           ///< all of the communicator must come
  MessageEnd source{}, destination{};
  std::span<const MPI_Request> requests{};      ///< live as long as the call
  std::function<std::vector<int>()> awaited{};  ///< asked in a deadlock: ranks of MPI_COMM_WORLD
};

/// A call to which all of a communicator must come, which has one group.
inline OpenCall collective_call(std::string_view name, MPI_Comm comm) {
  refuse_intercommunicator(name, comm);
  return {.name = name, .comm = comm, .collective = true};
}

/// While one lives, the calling process is in that call.
class InCall {
 public:
  explicit InCall(OpenCall call);
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;
  ~InCall();

  /// What the function returns after SMPI's own returned that code: an error has gone to the
  /// communicator's handler before, as `answered` does it.
  int result(int code) const;

 private:
  int rank_;
  OpenCall before_;  ///< this call itself, if the process has not joined the job
};

/// The call in which the calling process is, which now waits for these requests.
OpenCall waiting_for(std::span<const MPI_Request> requests);

/// Number of calls that have begun and ended so far.
std::uint64_t num_call_changes();

/// Whether each process that has joined the job is in a call that may block, and none in a
/// collective call to which all have come: what that computes takes its time.
bool all_are_stuck();

/// Whether the process of that rank is in the call of that name.
bool is_in_call(int rank, std::string_view name);

/// Ranks in MPI_COMM_WORLD of the processes of a group, or of a communicator.
std::vector<int> world_ranks_of(MPI_Group group);
std::vector<int> world_ranks_of(MPI_Comm comm);

/// The same of some ranks of a communicator.
std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks);

/// A job of that many processes begins.
void note_job(int size);

/// The process of that rank is no more, with or without MPI_Finalize.
void note_end(int rank);

/// Whether `note_end` was called.
bool has_ended(int rank);

/// What each of the ranks of MPI_COMM_WORLD waits for, as elements of a JSON array: its call, the
/// messages that are still to come or to go, and who has not come to a collective call. Ranks are
/// those of MPI_COMM_WORLD. Needs no calling process.
std::string open_calls_json(const std::vector<int>& ranks);

}  // namespace vtopo::detail::overlay
