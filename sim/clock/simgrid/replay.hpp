#pragma once

#include "netmodels/limits.hpp"
#include "sim/clock/simgrid_clock.hpp"

namespace vtopo::detail {

/// Actors up to which stacks are guarded and as large as SimGrid makes them.
inline constexpr int max_guarded_actors = 4096;

/// Sets up the SimGrid engine of this process.
void configure_simgrid(NetworkModel model, int num_actors, int stack_kib);

/// Limits of a process that runs SimGrid: those given, else the usual ones.
Limits simgrid_limits(Limits given, int num_actors, int stack_kib);

/// Stack of each of so many ranks.
inline int actor_stack_kib(int num_actors) {
  return num_actors > max_guarded_actors ? 64 : 8192;
}

/// The sent edges of a guest by SimGrid, in a forked child (`simulate` says how they are scaled).
/// @throws InputError for volumes that SimGrid cannot count; SimulationError if the child fails.
ReplayedFlows replay(const CommGraph& guest, const Network& network, const Embedding& embedding,
                     const SimulationOptions& options);

}  // namespace vtopo::detail
