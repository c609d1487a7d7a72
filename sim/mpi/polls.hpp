#pragma once

#include <string_view>
#include <utility>

#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

/// Lets the simulated time of a question pass that a process asks without waiting: whether a request
/// is complete, or a message there. Without it a loop of such questions would wait forever.
///
/// In SMPI the n-th question in vain of all processes together takes n times 0.1 ms. Here one takes
/// 100 ns, and after 1 ms of questions in a row 1 % of what the process has waited, so that a long
/// wait takes few steps and ends at most 1 % late. A user's smpi/test or smpi/iprobe holds instead.
///
/// After 10^6 s in a row the run ends as one in a deadlock.
/// @param name of the function of MPI.
void pass_time_of_poll(std::string_view name);

/// The process got what it had asked for: the next question begins a new wait.
void end_polls();

/// Asks by a function of MPI that does not wait.
/// @param found where it says whether it has found something: not 0.
/// @param name of the function: of the caller, unless it is given.
template <class Ask>
int polled(const int* found, Ask&& ask, std::string_view name = __builtin_FUNCTION()) {
  pass_time_of_poll(name);
  const int code = std::forward<Ask>(ask)();
  if (code != MPI_SUCCESS || (found != nullptr && *found != 0)) end_polls();
  return code;
}

}  // namespace vtopo::detail::overlay
