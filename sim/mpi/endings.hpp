#pragma once

#include <string_view>

namespace vtopo::detail::overlay {

/// From here on, a deadlock and a signal that ends the simulation are reported in the file of
/// VTOPO_RUN, if it is set. Once per simulation, after SimGrid has set its own handlers.
void tell_endings();

/// Whether deadlocks are reported.
bool are_endings_told();

/// Reports that no process can go on, and ends the simulation.
[[noreturn]] void end_in_deadlock();

/// A function of MPI failed with that error of MPI, which is fatal: ends the simulation with the
/// exit code of SMPI's own end, and reports it in the file of VTOPO_RUN, or on stderr if it is not
/// set.
[[noreturn]] void end_in_error(std::string_view function, std::string_view error);

/// Ends the simulation since a process called a function of MPI that simulated ranks do not have.
[[noreturn]] void end_in_absence(std::string_view function);

}  // namespace vtopo::detail::overlay
