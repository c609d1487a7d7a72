#include "sim/run/job_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "sim/clock/estimate.hpp"
#include "sim/clock/programs/schedule_program.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/clock/simgrid_clock.hpp"
#include "sim/clock/step_times.hpp"
#include "sim/evaluation/background.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/scenario/pieces.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

bool follows_from_traffic(const Experiment& experiment) {
  return experiment.network->routed({}) != nullptr;
}

/// A single step has nothing to wait for: its program takes as long as all its messages at once.
bool is_one_step(const Schedule& schedule) {
  return schedule.phases.size() == 1 && schedule.phases.front().repeat == 1 &&
         !schedule.phases.front().sends_empty;
}

/// Whether each message of a schedule is followed: about a microsecond per message.
bool is_followed(const Schedule& schedule, Solver solver) {
  constexpr double max_followed = 20e6;
  return solver != Solver::fast || num_messages(schedule) <= max_followed;
}

bool needs_program(const Experiment& experiment) {
  return follows_messages(experiment) || !costs_nothing_between_hosts(experiment.endpoint);
}

SimulationResult simulate_burst(const Experiment& experiment, const Embedding& embedding,
                                const SimulationOptions& how) {
  if (!experiment.background)
    return simulate(experiment.guest, *experiment.network, embedding, how);
  const PlacedTraffic all = beside(experiment.guest, embedding, experiment.background->traffic);
  SimulationOptions options = how;  // as fine as the job needs it, however much the others send
  if (!options.static_bound)
    options.static_bound =
        evaluate_totals(experiment.guest, *experiment.network, embedding).max_congestion;
  SimulationResult result = simulate(all.guest, *experiment.network, all.embedding, options);
  result.rank_finish.resize(static_cast<std::size_t>(experiment.guest.num_ranks()));
  result.makespan = {};
  for (const Seconds finish : result.rank_finish)
    result.makespan = std::max(result.makespan, finish);
  result.flow_finish.clear();  // flows of all jobs
  return result;
}

using SpanReceiver = std::function<void(const RankSpan&)>;

/// What ranks do in steps that follow each other on all of them: their messages, then the wait for
/// their next step.
class StepSpans {
 public:
  StepSpans(std::size_t num_ranks, const SpanReceiver& receiver)
      : ends_(num_ranks), receiver_(receiver) {}

  /// @param start of the phase. Of very many steps several are reported as one.
  void add(const SimulationResult& step, Seconds start, std::int64_t repeat) {
    constexpr std::int64_t max_reported = 200;
    const std::int64_t reported = std::min(repeat, max_reported);
    const double steps = static_cast<double>(repeat) / static_cast<double>(reported);
    for (std::int64_t s = 0; s < reported; ++s)
      for (std::size_t r = 0; r < ends_.size(); ++r)
        if (step.rank_finish[r].value > 0)
          add(id_at<Rank>(r), start + step.makespan * (static_cast<double>(s) * steps),
              step.rank_finish[r] * steps);
  }

 private:
  void add(Rank rank, Seconds begin, Seconds length) {
    Seconds& end = ends_[index(rank)];
    if (begin > end) receiver_({rank, RankSpan::Kind::waiting, end, begin});
    end = begin + length;
    receiver_({rank, RankSpan::Kind::transferring, begin, end});
  }

  std::vector<Seconds> ends_;
  const SpanReceiver& receiver_;
};

JobTimes simulate_phase_by_phase(const Experiment& experiment, const Embedding& embedding,
                                 const SimulationOptions& how,
                                 const std::vector<Seconds>& phase_bounds,
                                 const SpanReceiver& receiver) {
  const Schedule& schedule = *experiment.schedule;
  ScheduleTimes times =
      simulate_schedule(schedule, *experiment.network, embedding, how, phase_bounds);
  JobTimes job{std::move(times.total), {}};
  StepSpans spans(job.total.rank_finish.size(), receiver);
  Seconds start{0};
  for (std::size_t p = 0; p < times.phases.size(); ++p) {
    SimulationResult& step = times.phases[p];
    const SchedulePhase& phase = schedule.phases[p];
    const Seconds first_step = start + phase.copied / how.loopback_bandwidth;
    const Seconds end = first_step + step.makespan * static_cast<double>(phase.repeat);
    if (receiver) spans.add(step, first_step, phase.repeat);
    step.rank_finish = {};  // those of the job are enough
    job.phases.push_back({start, end, std::move(step)});
    start = end;
  }
  return job;
}

/// The program beside the messages of other jobs, if there are any.
Program beside_others(Program program, const Experiment& experiment) {
  return experiment.background ? beside(std::move(program), experiment.background->traffic.guest)
                               : program;
}

/// Hosts of the lanes of the job's ranks, then of the ranks of other jobs.
Embedding embedding_of(const Program& program, const Experiment& experiment,
                       const Embedding& embedding) {
  std::vector<HostId> hosts;
  const auto others = experiment.background ? experiment.background->traffic.embedding.hosts()
                                            : std::vector<HostId>();
  while (std::ssize(hosts) + std::ssize(others) < program.num_ranks())
    hosts.insert(hosts.end(), embedding.hosts().begin(), embedding.hosts().end());
  hosts.insert(hosts.end(), others.begin(), others.end());
  return embedding_on(hosts);
}

ProgramTimes times_of(const Program& program, const Network& network, const Embedding& embedding,
                      const EndpointCosts& costs, const SimulationOptions& how,
                      const SpanReceiver& spans) {
  if (how.solver == Solver::fast)
    return simulate_program(program, network, embedding,
                            {costs, how.progress, how.stop, false, spans});
  return simgrid_clock().run_program(program, network, embedding, how);
}

/// Rank r of the job has its lanes at r, r + P, ...; it goes on when they are over.
SimulationResult of_job(const ProgramTimes& times, int num_ranks, int num_lanes) {
  SimulationResult result;
  result.num_updates = times.num_updates;
  for (int r = 0; r < num_ranks; ++r) {
    const RankTimes& rank = times.ranks[Rank{r}];
    Seconds computing{0};
    for (int lane = 0; lane < num_lanes; ++lane)
      computing += times.ranks[Rank{lane * num_ranks + r}].computing;
    result.rank_finish.push_back(rank.finish);
    result.rank_computing.push_back(computing);
    result.rank_waiting.push_back(rank.waiting);
    result.makespan = std::max(result.makespan, rank.finish);
  }
  return result;
}

PhaseTimes phase_of(const ProgramTimes& times, std::size_t p, std::int64_t repeat) {
  PhaseTimes phase;
  if (2 * p + 1 >= times.marks.size() || std::isinf(times.marks[2 * p].first.value)) return phase;
  phase.start = times.marks[2 * p].first;
  phase.end = times.marks[2 * p + 1].last;
  phase.step.makespan = (phase.end - phase.start) * (1 / static_cast<double>(repeat));
  return phase;
}

/// What `times` say of the job, as measured from `begin`.
JobTimes job_of(const ProgramTimes& times, const Schedule& schedule, int num_ranks,
                std::chrono::steady_clock::time_point begin) {
  using Clock = std::chrono::steady_clock;
  JobTimes job{of_job(times, num_ranks, schedule.num_lanes()), {}};
  for (std::size_t p = 0; p < schedule.phases.size(); ++p)
    job.phases.push_back(phase_of(times, p, schedule.phases[p].repeat));
  job.total.wall_seconds = {std::chrono::duration<double>(Clock::now() - begin).count()};
  return job;
}

JobTimes simulate_by_steps(const Experiment& experiment, const Embedding& embedding,
                           const SimulationOptions& how) {
  const auto begin = std::chrono::steady_clock::now();
  StepClock clock(*experiment.network, embedding.hosts(), NetworkSharing::max_min, how.stop);
  return job_of(clock.finish_times(*experiment.schedule, experiment.endpoint), *experiment.schedule,
                embedding.num_ranks(), begin);
}

/// Follows each message of a program, of which the job's ranks are the first.
/// @param schedule whose phases the program marks; without phases: none.
JobTimes follow_messages(const Experiment& experiment, const Program& program,
                         const Schedule& schedule, const Embedding& embedding,
                         const SimulationOptions& how, const SpanReceiver& spans) {
  const auto begin = std::chrono::steady_clock::now();
  const ProgramTimes times =
      times_of(program, *experiment.network, embedding_of(program, experiment, embedding),
               experiment.endpoint, how, spans);
  return job_of(times, schedule, embedding.num_ranks(), begin);
}

JobTimes simulate_as_program(const Experiment& experiment, const Schedule& schedule,
                             const Embedding& embedding, const SimulationOptions& how,
                             const SpanReceiver& spans) {
  const StepStart start = schedule.barriers ? StepStart::together : StepStart::by_rank;
  return follow_messages(experiment, beside_others(program_of(schedule, start), experiment),
                         schedule, embedding, how, spans);
}

JobTimes simulate_trace(const Experiment& experiment, const Embedding& embedding,
                        const SimulationOptions& how, const SpanReceiver& spans) {
  const Program& own = experiment.trace->program;
  if (!experiment.background)
    return follow_messages(experiment, own, Schedule(), embedding, how, spans);
  return follow_messages(experiment, beside_others(own, experiment), Schedule(), embedding, how,
                         spans);
}

/// Ranks that finish within such a share of the last one are last, too.
constexpr double last_share = 1e-6;

/// Of vtopo's solver, measured on one core of 2.5 GHz: seconds per message, and per link of a flow
/// each time that the flow is given its rate. Of SimGrid's ranks: seconds per message.
constexpr double seconds_per_message = 4e-7;
constexpr double seconds_per_update = 2.5e-8;
constexpr double seconds_per_rank_message = 5e-5;

/// Of routes that follow from the traffic, per pair of links of the network: of 20 hosts on a
/// torus, a dragonfly, a HyperX, 2 to 5 ms.
constexpr double seconds_per_pair_of_links = 5e-7;

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

bool follows_messages(const Experiment& experiment) {
  if (experiment.trace) return true;
  return experiment.schedule &&
         (experiment.schedule->num_lanes() > 1 || experiment.background.has_value());
}

bool costs_nothing_between_hosts(EndpointCosts costs) {
  costs.memory_bandwidth = EndpointCosts().memory_bandwidth;
  return is_free(costs);
}

std::string_view to_string(JobClock clock) {
  switch (clock) {
    case JobClock::burst:
      return "burst";
    case JobClock::phases:
      return "phases";
    case JobClock::program:
      return "program";
    case JobClock::trace:
      return "trace";
    case JobClock::steps:
      break;
  }
  return "steps";
}

std::optional<std::string> why_no_endpoint_costs(const Experiment& experiment, Solver solver) {
  if (follows_from_traffic(experiment))
    return fmt::format("routing \"{}\" follows from a whole traffic, phase by phase",
                       to_string(experiment.network->routing()));
  if (solver != Solver::fast)
    return "SimGrid simulates ranks without them; --solver fast with --network-model CM02 has them";
  if (experiment.recorded)
    return "a recording is the total of a run, not its messages; --per-message takes one of each";
  return std::nullopt;
}

JobClock job_clock(const Experiment& experiment, Solver solver) {
  const auto no_costs = why_no_endpoint_costs(experiment, solver);
  if (no_costs && !costs_nothing_between_hosts(experiment.endpoint))
    throw UsageError("costs at the ends of messages: " + *no_costs);
  const bool as_program = needs_program(experiment);
  if (follows_from_traffic(experiment)) {
    if (as_program)
      throw UsageError(fmt::format(
          "traces, phases at the same time (with=...) and --background beside phases need routes "
          "of each message; routing \"{}\" follows from a whole traffic, phase by phase",
          to_string(experiment.network->routing())));
    return experiment.schedule ? JobClock::phases : JobClock::burst;
  }
  if (experiment.trace) return JobClock::trace;
  if (as_program) {
    const bool by_steps = experiment.schedule && experiment.schedule->num_lanes() == 1 &&
                          !experiment.schedule->barriers && !experiment.background;
    return by_steps && !is_followed(*experiment.schedule, solver) ? JobClock::steps
                                                                  : JobClock::program;
  }
  if (!experiment.schedule) return JobClock::burst;
  if (experiment.schedule->barriers || is_one_step(*experiment.schedule)) return JobClock::phases;
  return is_followed(*experiment.schedule, solver) ? JobClock::program : JobClock::steps;
}

void settle_endpoint_costs(const NetworkSource& source, Solver solver, Observer& observer,
                           Experiment& experiment) {
  const auto reason = why_no_endpoint_costs(experiment, solver);
  if (reason && !has_costs_between_hosts(source.endpoint)) {
    if (!costs_nothing_between_hosts(experiment.endpoint))
      observer.remark("left out: costs at the ends of messages: " + *reason);
    EndpointCosts only_memory;
    only_memory.memory_bandwidth = experiment.endpoint.memory_bandwidth;
    experiment.endpoint = only_memory;
  }
  job_clock(experiment, solver);  // refuses what it cannot
}

JobTimes simulate_job(const Experiment& experiment, const Embedding& embedding,
                      const SimulationOptions& how, const std::vector<Seconds>& phase_bounds,
                      const SpanReceiver& spans) {
  SimulationOptions options = how;
  options.loopback_bandwidth = experiment.endpoint.memory_bandwidth;
  switch (job_clock(experiment, how.solver)) {
    case JobClock::burst:
      return {simulate_burst(experiment, embedding, options), {}};
    case JobClock::phases:
      return simulate_phase_by_phase(experiment, embedding, options, phase_bounds, spans);
    case JobClock::steps:
      return simulate_by_steps(experiment, embedding, options);
    case JobClock::trace:
      return simulate_trace(experiment, embedding, options, spans);
    case JobClock::program:
      break;
  }
  if (experiment.schedule)
    return simulate_as_program(experiment, *experiment.schedule, embedding, options, spans);
  const Schedule all_at_once{{{"all at once", experiment.guest, 1}}};
  JobTimes job = simulate_as_program(experiment, all_at_once, embedding, options, spans);
  job.phases.clear();
  return job;
}

double num_messages(const Schedule& schedule) {
  double count = 0;
  for (const SchedulePhase& phase : schedule.phases)
    count += static_cast<double>(phase.traffic.num_edges()) * static_cast<double>(phase.repeat);
  return count;
}

std::optional<PredictedTime> PredictedTimes::time(const Embedding& embedding) const {
  if (how_.stop && how_.stop()) return std::nullopt;
  try {
    JobTimes times = simulate_job(experiment_, embedding, how_);
    const SimulationResult& result = times.total;
    PredictedTime predicted{result.makespan, last_ranks(result), work_of(embedding, result)};
    if (!shortest_ || result.makespan < times_of_shortest_.total.makespan) {
      shortest_ = embedding;
      times_of_shortest_ = std::move(times);
    }
    return predicted;
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
  const double links = experiment_.network->num_links();
  const double routing =
      follows_from_traffic(experiment_) ? seconds_per_pair_of_links * links * links : 0;
  double starting = 0;
  const auto add = [&](const CommGraph& traffic) {
    starting += routing;
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
