#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/clock/program_times.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/run/experiment.hpp"

namespace vtopo::detail {

/// How the steps of a job follow each other in its simulation.
enum class JobClock {
  burst,    ///< all messages start at once
  phases,   ///< a step starts when the one before has ended on every rank
  program,  ///< a rank starts its next step when its own messages are over
  /// The same, with messages of a step as long as if all of them started together (`StepClock`):
  /// where there are too many to follow each.
  steps,
  trace,  ///< a recorded program: local work and messages in the order of each rank
};

/// `burst`, `phases`, `program`, `steps` or `trace`.
std::string_view to_string(JobClock clock);

/// Whether a job is a trace, has phases at the same time or others' traffic beside its phases: then
/// the clock needs the route of each message.
bool follows_messages(const Experiment& experiment);

/// Whether messages between hosts cost nothing beside the network; copies inside a host have their
/// time under every clock.
bool costs_nothing_between_hosts(EndpointCosts costs);

/// Why the ends of messages cost nothing in the simulation of this job, by `solver`; nothing if
/// they may.
std::optional<std::string> why_no_endpoint_costs(const Experiment& experiment, Solver solver);

/// The clock of a job, simulated by `solver`.
/// @throws UsageError with the reason if it has none.
JobClock job_clock(const Experiment& experiment, Solver solver);

/// Leaves out what messages cost at their ends where the clock of the job does not know it.
/// @throws UsageError if the user asks for it, not only the machine's description.
void settle_endpoint_costs(const NetworkSource& source, Solver solver, Observer& observer,
                           Experiment& experiment);

/// When a phase runs.
struct PhaseTimes {
  Seconds start;          ///< of the first rank that sends
  Seconds end;            ///< of its last rank
  SimulationResult step;  ///< of one step; of programs nothing but its mean time
};

/// What the clock said of a job.
struct JobTimes {
  SimulationResult total;          ///< of the job's own ranks
  std::vector<PhaseTimes> phases;  ///< of a schedule; else empty
};

/// Simulates the job of an experiment, beside other jobs if there are any.
/// @param how with the static bound, if it has one, of the job alone.
/// @param phase_bounds static bounds of one step of each phase where they are known, else empty.
/// @param spans receives what ranks do, but for a burst, for `JobClock::steps` and for programs on
/// SimGrid; empty: nobody.
/// @throws as `job_clock` and `simulate`.
JobTimes simulate_job(const Experiment& experiment, const Embedding& embedding,
                      const SimulationOptions& how, const std::vector<Seconds>& phase_bounds = {},
                      const std::function<void(const RankSpan&)>& spans = {});

/// Messages that the program of a schedule sends.
double num_messages(const Schedule& schedule);

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

  /// All that was simulated of an embedding, if it is the one of the shortest time so far.
  const JobTimes* times_of(const Embedding& embedding) const {
    return shortest_ && *shortest_ == embedding ? &times_of_shortest_ : nullptr;
  }

 private:
  double work_of(const Embedding& embedding, const SimulationResult& result) const;

  const Experiment& experiment_;
  SimulationOptions how_;
  JobClock clock_;
  mutable std::optional<Embedding> shortest_;  ///< of all that `time` was asked for
  mutable JobTimes times_of_shortest_;
};

}  // namespace vtopo::detail
