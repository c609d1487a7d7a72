#include "sim/experiment/schedule_rows.hpp"

#include <algorithm>
#include <utility>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/simulation/simulate_schedule.hpp"

namespace vtopo {

void evaluate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     int threads, Row& row) {
  row.metrics.max_congestion = {0};
  row.metrics.max_flows_per_link = 0;
  for (const SchedulePhase& phase : schedule.phases) {
    PhaseRow step{phase.name, phase.repeat,
                  evaluate(phase.traffic, network, embedding, {}, threads), std::nullopt};
    step.metrics.links = {};
    row.metrics.max_congestion += step.static_bound();
    row.metrics.max_flows_per_link =
        std::max(row.metrics.max_flows_per_link, step.metrics.max_flows_per_link);
    row.phases.push_back(std::move(step));
  }
}

Bounds schedule_bounds(const Bounds& together, const Schedule& schedule, const Network& network,
                       const Allocation& allocation) {
  constexpr std::size_t max_phases = 32;
  if (schedule.phases.size() > max_phases) return together;
  Seconds congestion{0};
  for (const SchedulePhase& phase : schedule.phases)
    congestion += lower_bounds(phase.traffic, network, allocation).congestion *
                  static_cast<double>(phase.repeat);
  Bounds best = together;
  if (congestion > best.congestion) {
    best.congestion = congestion;
    best.congestion_kind = "phases";
  }
  return best;
}

void simulate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     const SimulationOptions& options, Row& row) {
  std::vector<Seconds> bounds;
  for (const PhaseRow& phase : row.phases) bounds.push_back(phase.metrics.max_congestion);
  ScheduleTimes times = simulate_schedule(schedule, network, embedding, options, bounds);
  for (std::size_t p = 0; p < row.phases.size(); ++p) {
    times.phases[p].rank_finish = {};  // those of the row are enough
    row.phases[p].simulation = std::move(times.phases[p]);
  }
  row.simulation = std::move(times.total);
}

}  // namespace vtopo
