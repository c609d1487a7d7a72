#pragma once

namespace vtopo::overlay {

/// From here on, a deadlock and a signal that ends the simulation are told in the file of
/// VTOPO_RUN, if it is set. Once per simulation, after SimGrid has set its own handlers.
void tell_endings();

/// Whether deadlocks are told.
bool are_endings_told();

/// Tells that no process can go on, and ends the simulation.
[[noreturn]] void end_in_deadlock();

}  // namespace vtopo::overlay
