#include "sim/experiment/predicted_times.hpp"

#include <utility>

#include "sim/evaluation/metrics.hpp"
#include "sim/experiment/job_times.hpp"
#include "sim/programs/traces/trace.hpp"
#include "sim/simulation/estimate.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Ranks that finish within such a share of the last one are last, too.
constexpr double last_share = 1e-6;

/// Of the fast solver, measured on one core of 2.5 GHz: seconds per message, and per message
/// between two reports of progress, of which each stands for so many ends of messages.
constexpr double solver_seconds_per_message = 1e-6;
constexpr double program_seconds_per_message = 5e-6;  // of a program
constexpr double solver_seconds_per_report = 6e-7;

std::vector<Rank> last_ranks(const SimulationResult& result) {
  std::vector<Rank> last;
  for (std::size_t r = 0; r < result.rank_finish.size(); ++r)
    if (result.rank_finish[r] >= result.makespan * (1 - last_share)) last.push_back(id_at<Rank>(r));
  return last;
}

}  // namespace

std::optional<PredictedTime> PredictedTimes::time(const Embedding& embedding) const {
  double reports = 0;
  SimulationOptions how = how_;
  how.progress = [&](double) { ++reports; };
  try {
    const SimulationResult result = simulate_job(experiment_, embedding, how).total;
    return PredictedTime{result.makespan, last_ranks(result), work_of(embedding, reports)};
  } catch (const SimulationError&) {
    if (how_.stop && how_.stop()) return std::nullopt;
    throw;
  }
}

double PredictedTimes::work_of(const Embedding& embedding, double reports) const {
  if (clock_ == JobClock::trace)
    return program_seconds_per_message *
           static_cast<double>(num_messages(experiment_.trace->program));
  if (clock_ == JobClock::program)
    return program_seconds_per_message * (experiment_.schedule
                                              ? num_messages(*experiment_.schedule)
                                              : static_cast<double>(experiment_.guest.num_edges()));
  double seconds = 0;
  const auto add = [&](const CommGraph& traffic) {
    const auto messages = static_cast<double>(traffic.num_edges());
    seconds += how_.solver == Solver::fast
                   ? messages * (solver_seconds_per_message + solver_seconds_per_report * reports)
                   : estimate_simulation_time(traffic, *experiment_.network, embedding).value;
  };
  if (!experiment_.schedule) add(experiment_.guest);
  if (experiment_.schedule) {
    reports /= static_cast<double>(experiment_.schedule->phases.size());
    for (const SchedulePhase& phase : experiment_.schedule->phases) add(phase.traffic);
  }
  return seconds;
}

Seconds PredictedTimes::bound(const Embedding& embedding) const {
  const auto bound_of = [&](const CommGraph& traffic) {
    return evaluate(traffic, *experiment_.network, embedding).max_congestion;
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
