#pragma once

#include "netmodels/process/limits.hpp"
#include "sim/clock/simulate.hpp"

namespace vtopo::detail {

/// Actors up to which stacks are guarded and as large as SimGrid makes them.
inline constexpr int max_guarded_actors = 4096;

/// Sets up the SimGrid engine of this process.
void configure_simgrid(NetworkModel model, int num_actors, int stack_kib);

/// Limits of a process that runs SimGrid: those given, else the usual ones.
Limits simgrid_limits(Limits given, int num_actors, int stack_kib);

}  // namespace vtopo::detail
