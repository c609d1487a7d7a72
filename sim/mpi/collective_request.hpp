#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/mpi/neighbour_messages.hpp"
#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

/// A collective of the overlay, non-blocking or persistent (neighbourhood collectives and
/// reductions): a request of the program that stands for many of SMPI. Its handle is an idle
/// request of SMPI, so that SMPI's Fortran handles work.
struct CollectiveRequest {
  MPI_Comm comm = MPI_COMM_NULL;         ///< whose error handler hears of failures
  std::shared_ptr<TopologyTimes> times;  ///< of waiting; null: it is counted elsewhere
  std::vector<MPI_Request> messages;
  std::vector<char> done;          ///< per message, since the last start
  std::vector<LocalCopy> copies;   ///< made at each start
  std::function<void()> at_end{};  ///< what is left to do when all messages have come
  bool persistent = false;
  bool active = false;
};

/// Registers a request and makes its handle; an Uncharged lives.
MPI_Request make_request(CollectiveRequest request);

/// The request behind a handle; null for SMPI's own and for MPI_REQUEST_NULL.
CollectiveRequest* find_request(MPI_Request handle);

/// Whether one of the handles is such a request.
bool any_collective_request(std::span<const MPI_Request> handles);

/// Begins a persistent one.
/// @throws ArgumentError (MPI_ERR_REQUEST) if it is none or active.
void start(CollectiveRequest& request);

/// Blocks until all messages have finished.
void wait_for(CollectiveRequest& request);

/// Whether all messages have finished; does not block. True for an inactive request.
bool is_complete(CollectiveRequest& request);

/// After completion: does what is left; a persistent request becomes inactive, another one goes and
/// its handle becomes MPI_REQUEST_NULL.
void finish(MPI_Request& handle);

/// Releases an inactive persistent request and its handle.
/// @throws ArgumentError (MPI_ERR_REQUEST) if it is active.
void free_request(MPI_Request& handle);

/// The status of a collective: nothing to report.
void set_empty(MPI_Status* status);

}  // namespace vtopo::detail::overlay
