#pragma once

#include <optional>

#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/run/experiment.hpp"
#include "sim/run/job_times.hpp"

namespace vtopo::detail {

/// How long the job of an experiment takes under embeddings, for a mapper that asks often. The
/// experiment must outlive it.
class PredictedTimes {
 public:
  /// @param how each is simulated.
  PredictedTimes(const Experiment& experiment, SimulationOptions how)
      : experiment_(experiment), how_(std::move(how)), clock_(job_clock(experiment, how_.solver)) {}

  /// Time of the whole job; nothing if the simulator was stopped.
  std::optional<PredictedTime> time(const Embedding& embedding) const;

  /// What the time is not below: the static bound of all that is sent, or, where steps follow each
  /// other on all ranks, the sum of those of the steps.
  Seconds bound(const Embedding& embedding) const;

  /// Both as functions, which must not outlive this.
  TimePrediction prediction() const;

 private:
  double work_of(const Embedding& embedding, const SimulationResult& result) const;

  const Experiment& experiment_;
  SimulationOptions how_;
  JobClock clock_;
};

}  // namespace vtopo::detail
