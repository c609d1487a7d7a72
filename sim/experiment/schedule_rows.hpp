#pragma once

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/experiment/report.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// Evaluates each phase and sets what a row tells of them: its phases, the sum of their static
/// bounds and the most flows on a link.
/// @param row has the metrics of everything that the schedule sends.
void evaluate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     int threads, Row& row);

/// Lower bounds of a schedule: those of everything sent together; of congestion also the sum over
/// phases and steps, each of which takes its own bound at least, for up to 32 phases.
/// @param together bounds of everything that the schedule sends.
Bounds schedule_bounds(const Bounds& together, const Schedule& schedule, const Network& network,
                       const Allocation& allocation);

/// Simulates a schedule whose phases the row has: sets their times and that of the row.
/// @throws as `simulate`.
void simulate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     const SimulationOptions& options, Row& row);

}  // namespace vtopo
