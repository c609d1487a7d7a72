#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/process/child_process.hpp"
#include "netmodels/process/limits.hpp"
#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/simulate.hpp"

namespace vtopo::detail {

/// Actors up to which stacks are guarded and as large as SimGrid makes them.
inline constexpr int max_guarded_actors = 4096;

/// Sets up the SimGrid engine of this process.
void configure_simgrid(NetworkModel model, int num_actors, int stack_kib);

/// Limits of a process that runs SimGrid: those given, else the usual ones.
Limits simgrid_limits(Limits given, int num_actors, int stack_kib);

/// What a replaying child reports to its parent: any number of `progress`, each followed by the
/// share of finished flows (double), then `finished` followed by a vector of doubles, the finish
/// time of every flow in seconds of SimGrid's clock. Nothing more if it fails.
enum class ReplayMessage : int { progress, finished };

/// Stack of each of so many ranks.
inline int actor_stack_kib(int num_actors) {
  return num_actors > max_guarded_actors ? 64 : 8192;
}

/// Replays all flows on SimGrid, in this process: the whole of SimGrid's life, meant for a child.
/// Internal: SimGrid types appear only in its sources.
/// @param bytes of each flow, one entry per flow.
/// @param bandwidth_factor what the bandwidths of all links are multiplied by.
void replay_on_simgrid(const Channel& channel, const FlowSet& set,
                       const std::vector<std::uint64_t>& bytes, const Network& network,
                       const Embedding& embedding, NetworkModel model, double bandwidth_factor);

}  // namespace vtopo::detail
