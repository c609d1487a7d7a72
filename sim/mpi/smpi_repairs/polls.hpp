#pragma once

#include <string_view>
#include <utility>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// Advances the simulated clock by what one test or probe costs that does not block. If they took
/// no time, a loop of them would never see its message come.
///
/// In SMPI the n-th unsuccessful one of all processes together takes n times 0.1 ms. Here one takes
/// 100 ns, and after 1 ms of them in a row 1 % of what the process has waited: a long wait takes
/// few steps and ends at most 1 % late. If the user sets smpi/test or smpi/iprobe, SMPI's times
/// hold.
///
/// After 10^6 s in a row the run ends as one in a deadlock.
/// @param name of the function of MPI.
void pass_time_of_poll(std::string_view name);

/// One was successful: the next begins a new wait.
void end_polls();

/// Asks by a function of MPI that does not block.
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
