#include "sim/run/schedule_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"

namespace vtopo::detail {

namespace {

/// Sum over the stages; in each the lane that has most.
Seconds sum_of_stages(const Schedule& schedule, const std::vector<Seconds>& of_phases) {
  Seconds sum{0};
  if (schedule.num_lanes() == 1) {
    for (const Seconds of_phase : of_phases) sum += of_phase;
    return sum;
  }
  std::vector<Seconds> lanes(static_cast<std::size_t>(schedule.num_lanes()));
  const auto& phases = schedule.phases;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    lanes[static_cast<std::size_t>(phases[p].lane)] += of_phases[p];
    if (p + 1 < phases.size() && phases[p + 1].stage == phases[p].stage) continue;
    sum += *std::max_element(lanes.begin(), lanes.end());
    lanes.assign(lanes.size(), {0});
  }
  return sum;
}

}  // namespace

void evaluate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     int threads, bool beside_others, Row& row) {
  const Seconds together = row.metrics.max_congestion;
  std::vector<Seconds> bounds;
  row.metrics.max_flows_per_link = 0;
  for (const SchedulePhase& phase : schedule.phases) {
    PhaseRow step{phase.name, phase.repeat,
                  evaluate(phase.traffic, network, embedding, {}, threads), std::nullopt};
    step.metrics.links = {};
    bounds.push_back(step.static_bound());
    row.metrics.max_flows_per_link =
        std::max(row.metrics.max_flows_per_link, step.metrics.max_flows_per_link);
    row.phases.push_back(std::move(step));
  }
  row.metrics.max_congestion = sum_of_stages(schedule, bounds);
  if (beside_others || schedule.num_lanes() > 1)
    row.metrics.max_congestion = std::max(row.metrics.max_congestion, together);
}

Bounds schedule_bounds(const Bounds& together, const Schedule& schedule, const Network& network,
                       const Allocation& allocation) {
  constexpr std::size_t max_phases = 32;
  if (schedule.phases.size() > max_phases) return together;
  std::vector<Seconds> bounds;
  for (const SchedulePhase& phase : schedule.phases)
    bounds.push_back(lower_bounds(phase.traffic, network, allocation).congestion *
                     static_cast<double>(phase.repeat));
  const Seconds congestion = sum_of_stages(schedule, bounds);
  Bounds best = together;
  if (congestion > best.congestion) {
    best.congestion = congestion;
    best.congestion_kind = "phases";
  }
  return best;
}

void put_times(JobTimes times, Row& row) {
  for (std::size_t p = 0; p < row.phases.size(); ++p) {
    row.phases[p].start = times.phases[p].start;
    row.phases[p].end = times.phases[p].end;
    row.phases[p].simulation = std::move(times.phases[p].step);
  }
  row.simulation = std::move(times.total);
}

}  // namespace vtopo::detail
