#pragma once

#include <functional>
#include <vector>

#include "sim/simulation/simulate.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// What the clock said of a schedule.
struct ScheduleTimes {
  /// Of all of it: `rank_finish` counts from the start of the schedule to the last message of the
  /// rank; no `flow_finish`.
  SimulationResult total;
  std::vector<SimulationResult> phases;  ///< of one step each; wall time 0 where it was known
};

/// Simulates one step of each phase; the others take as long, one after the other, and a step
/// starts when the one before has ended on every rank. A phase with the traffic of the one before
/// is not simulated again.
/// @param options of each phase; `static_bound` is not looked at.
/// @param static_bounds of the phases where known: one entry per phase, or none.
/// @throws as `simulate`.
ScheduleTimes simulate_schedule(const Schedule& schedule, const Network& network,
                                const Embedding& embedding, const SimulationOptions& options,
                                const std::vector<Seconds>& static_bounds = {});

}  // namespace vtopo
