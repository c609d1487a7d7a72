#include "sim/run/predicted_times.hpp"

#include <utility>

#include "sim/evaluation/totals.hpp"
#include "sim/run/job_times.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/clock/estimate.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Ranks that finish within such a share of the last one are last, too.
constexpr double last_share = 1e-6;

/// Of vtopo's solver, measured on one core of 2.5 GHz: seconds per message, and per link of a flow
/// each time that the flow is given its rate. Of SimGrid's ranks: seconds per message.
constexpr double seconds_per_message = 4e-7;
constexpr double seconds_per_update = 2.5e-8;
constexpr double seconds_per_rank_message = 5e-5;

double messages_of_program(const Experiment& experiment) {
  if (experiment.trace) return static_cast<double>(num_messages(experiment.trace->program));
  if (experiment.schedule) return num_messages(*experiment.schedule);
  return static_cast<double>(experiment.guest.num_edges());
}

std::vector<Rank> last_ranks(const SimulationResult& result) {
  std::vector<Rank> last;
  for (std::size_t r = 0; r < result.rank_finish.size(); ++r)
    if (result.rank_finish[r] >= result.makespan * (1 - last_share)) last.push_back(id_at<Rank>(r));
  return last;
}

}  // namespace

std::optional<PredictedTime> PredictedTimes::time(const Embedding& embedding) const {
  try {
    const SimulationResult result = simulate_job(experiment_, embedding, how_).total;
    return PredictedTime{result.makespan, last_ranks(result), work_of(embedding, result)};
  } catch (const SimulationError&) {
    if (how_.stop && how_.stop()) return std::nullopt;
    throw;
  }
}

double PredictedTimes::work_of(const Embedding& embedding, const SimulationResult& result) const {
  const bool is_own = how_.solver == Solver::fast;
  const double updating = seconds_per_update * static_cast<double>(result.num_updates);
  if (clock_ == JobClock::trace || clock_ == JobClock::program)
    return updating + (is_own ? seconds_per_message : seconds_per_rank_message) *
                          messages_of_program(experiment_);
  double starting = 0;
  const auto add = [&](const CommGraph& traffic) {
    starting += is_own ? seconds_per_message * static_cast<double>(traffic.num_edges())
                       : estimate_simulation_time(traffic, *experiment_.network, embedding).value;
  };
  if (!experiment_.schedule) add(experiment_.guest);
  if (experiment_.schedule)
    for (const SchedulePhase& phase : experiment_.schedule->phases) add(phase.traffic);
  return starting + updating;
}

Seconds PredictedTimes::bound(const Embedding& embedding) const {
  const auto bound_of = [&](const CommGraph& traffic) {
    return evaluate_totals(traffic, *experiment_.network, embedding).max_congestion;
  };
  if (clock_ != JobClock::phases) return bound_of(experiment_.guest);
  Seconds sum{0};
  for (const SchedulePhase& phase : experiment_.schedule->phases)
    sum += bound_of(phase.traffic) * static_cast<double>(phase.repeat);
  return sum;
}

TimePrediction PredictedTimes::prediction() const {
  return {.simulate = [this](const Embedding& embedding) { return time(embedding); },
          .bound = [this](const Embedding& embedding) { return bound(embedding); }};
}

}  // namespace vtopo::detail
