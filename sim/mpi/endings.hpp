#pragma once

namespace vtopo::overlay {

/// From here on, a deadlock and a signal that ends the simulation are told in the file of
/// VTOPO_RUN, if it is set. Once per simulation, after SimGrid has set its own handlers.
void tell_endings();

}  // namespace vtopo::overlay
