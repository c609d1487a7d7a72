#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// Simulated time that processes spend in some collectives that are made here.
struct CallTimes {
  long calls = 0;
  std::vector<double> seconds{};  ///< by rank in MPI_COMM_WORLD
};

/// While one lives, the simulated time that passes for the calling process is counted.
class TimedCall {
 public:
  /// @param times may be null.
  explicit TimedCall(std::shared_ptr<CallTimes> times);
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;
  ~TimedCall();

 private:
  std::shared_ptr<CallTimes> times_;
  double start_;
};

/// A collective that is made here, non-blocking or persistent (reductions, neighbourhood
/// collectives), or the rest of a message that was found (MPI_Imrecv): a request of the program
/// that stands for many of SMPI. Its handle is an idle request of SMPI, so that SMPI's Fortran
/// handles work.
struct CollectiveRequest {
  MPI_Comm comm = MPI_COMM_NULL;     ///< whose error handler hears of failures
  std::shared_ptr<CallTimes> times;  ///< of waiting; null: it is counted elsewhere
  std::vector<MPI_Request> messages;
  std::vector<char> done;            ///< per message, since the last start
  std::function<void()> at_start{};  ///< of a persistent one: what is to do besides messages
  std::function<void()> at_end{};    ///< what is left to do when all messages have come
  bool persistent = false;
  bool active = false;
  /// What who waits gets: of a collective nothing.
  MPI_Status status{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
};

/// Registers a request and makes its handle; an Uncharged lives.
MPI_Request make_request(CollectiveRequest request);

/// MPI_Comm_idup: `done` gets the new communicator before the request is complete.
int duplicate_later(MPI_Comm comm, std::function<void(MPI_Comm)> done, MPI_Request* request);

/// Blocks until all messages have finished.
void wait_for(CollectiveRequest& request);

}  // namespace vtopo::detail::overlay
