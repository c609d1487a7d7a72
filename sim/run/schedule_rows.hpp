#pragma once

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/report.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Evaluates each phase and sets what a row reports of them: its phases, the sum of their static
/// bounds, inside a stage of the lane that has most, and the most flows on a link.
/// @param row has the metrics of everything that the schedule and other jobs send: neither figure
/// is less than theirs beside other jobs.
void evaluate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     int threads, bool beside_others, Row& row);

/// Lower bounds of a schedule: those of everything sent together; of congestion also the sum over
/// phases and steps, each of which takes its own bound at least, for up to 32 phases.
/// @param together bounds of everything that the schedule sends.
Bounds schedule_bounds(const Bounds& together, const Schedule& schedule, const Network& network,
                       const Allocation& allocation);

/// Times of a job, whose phases the row has if it is a schedule.
void put_times(JobTimes times, Row& row);

}  // namespace vtopo::detail
