#include "sim/run/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "netmodels/load_routing/ideal.hpp"
#include "sim/clock/estimate.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/evaluation/background.hpp"
#include "sim/evaluation/bounds_library.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using TimePoint = RowControl::TimePoint;

constexpr Seconds worth_a_warning{60};

/// Work of all rows that are made side by side, in messages of some 600 bytes.
constexpr std::size_t max_messages_together = 4'000'000;
constexpr std::size_t links_per_message = 4;

TimePoint now() {
  return SearchControl::Clock::now();
}

/// One of several pieces of work at the same time: the user stops all of them at once, and what it
/// remarks is said in its turn.
class OneOfSeveral : public Observer {
 public:
  /// @param stop null: nobody can.
  explicit OneOfSeveral(const std::atomic<bool>* stop = nullptr) : stop_(stop) {}

  void remark(const std::string& sentence) override { remarks_.push_back(sentence); }
  std::unique_ptr<StopRequest> listen() override { return std::make_unique<Shared>(stop_); }

  void pass_on(Observer& observer) const {
    for (const std::string& sentence : remarks_) observer.remark(sentence);
  }

 private:
  struct Shared : StopRequest {
    explicit Shared(const std::atomic<bool>* of_all) : stop(of_all) {}
    const std::atomic<bool>* flag() const override { return stop; }
    const std::atomic<bool>* stop;
  };

  const std::atomic<bool>* stop_;
  std::vector<std::string> remarks_;
};

/// The machine as the traffic of all jobs meets it.
std::shared_ptr<const Network> routed_network(const Experiment& experiment,
                                              const Embedding& embedding) {
  if (!experiment.background) return experiment.network;
  const PlacedTraffic all = beside(experiment.guest, embedding, experiment.background->traffic);
  const auto routed = routed_for(all.guest, *experiment.network, all.embedding);
  return routed ? routed : experiment.network;
}

/// @param network of `routed_network`.
std::vector<ReportedLink> top_links(const Experiment& experiment, const Network& network,
                                    const Metrics& metrics, int count) {
  const std::vector<LinkClass> kinds = network.link_classes();
  std::vector<ReportedLink> list;
  const auto links = most_loaded_links(metrics, count);
  std::optional<Metrics> others;
  if (experiment.background && !links.empty())
    others = evaluate(experiment.background->traffic.guest, network,
                      experiment.background->traffic.embedding);
  for (const LinkId link : links) {
    list.push_back({network.link_name(link), metrics.links[index(link)]});
    if (others) list.back().background = others->links[index(link)].traffic;
    if (kinds.size() > 1)
      list.back().kind = kinds[static_cast<std::size_t>(network.link_class(link))].name;
  }
  return list;
}

/// The job's metrics beside other jobs, if there are any.
/// @param network of `routed_network`; @param job of the job alone.
Metrics with_others(const Experiment& experiment, const Network& network,
                    const Embedding& embedding, Metrics job, const Progress& progress,
                    int threads) {
  if (!experiment.background) return job;
  const PlacedTraffic all = beside(experiment.guest, embedding, experiment.background->traffic);
  return beside_others(std::move(job),
                       evaluate(all.guest, network, all.embedding, progress, threads));
}

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

Bounds schedule_bounds(const Bounds& together, const Schedule& schedule,
                       const JobBounds& lower_bounds) {
  constexpr std::size_t max_phases = 32;
  if (schedule.phases.size() > max_phases) return together;
  std::vector<Seconds> bounds;
  for (const SchedulePhase& phase : schedule.phases)
    bounds.push_back(lower_bounds(phase.traffic, {}).congestion *
                     static_cast<double>(phase.repeat));
  const Seconds congestion = sum_of_stages(schedule, bounds);
  Bounds best = together;
  if (congestion > best.congestion) {
    best.congestion = congestion;
    best.congestion_kind = "phases";
  }
  return best;
}

std::optional<IdealCongestion> ideal_of(const CommGraph& guest, const Network& network,
                                        const Embedding& embedding) {
  if (const auto routed = routed_for(guest, network, embedding))
    if (const auto known = ideal_routing().congestion_of(*routed)) return known;
  return ideal_routing().congestion(network, host_flows(guest, embedding));
}

/// How busy the busiest link is under ideal routing: of all traffic, or in sum over the steps of a
/// schedule, as `Metrics::max_congestion` of the row. Nothing where it is not known where links
/// lead.
void add_ideal(const Experiment& experiment, const Embedding& embedding, Row& row) {
  if (experiment.background) return;  // it would be that of all jobs
  Seconds found, bound;
  const auto add = [&](const CommGraph& guest, const Embedding& placed, double times) {
    const auto ideal = ideal_of(guest, *experiment.network, placed);
    if (!ideal) return false;
    found += ideal->found * times;
    bound += ideal->bound * times;
    return true;
  };
  bool known = true;
  if (experiment.schedule) {
    for (const SchedulePhase& phase : experiment.schedule->phases)
      known = known && add(phase.traffic, embedding, static_cast<double>(phase.repeat));
  } else {
    known = add(experiment.guest, embedding, 1);
  }
  if (!known) return;
  row.ideal_congestion = found;
  row.ideal_congestion_bound = bound;
}

/// What SimGrid needs for one step of each phase, or under the clock of programs for all of them.
Seconds estimated_time_of_simgrid(const Experiment& experiment, const Embedding& embedding,
                                  JobClock clock) {
  if (!experiment.schedule) {
    const auto edges = static_cast<double>(std::max(experiment.guest.num_edges(), std::size_t{1}));
    return estimate_simulation_time(experiment.guest, *experiment.network, embedding) *
           (experiment.trace ? static_cast<double>(num_messages(experiment.trace->program)) / edges
                             : 1.0);
  }
  Seconds estimate{0};
  for (const SchedulePhase& phase : experiment.schedule->phases)
    estimate += estimate_simulation_time(phase.traffic, *experiment.network, embedding) *
                (clock == JobClock::program ? static_cast<double>(phase.repeat) : 1.0);
  return estimate;
}

void warn_if_simgrid_is_long(const Experiment& experiment, const Embedding& embedding,
                             const std::string& mapper, const SimulationOptions& how,
                             JobClock clock, Observer& observer) {
  const Seconds estimate = estimated_time_of_simgrid(experiment, embedding, clock);
  if (estimate < worth_a_warning) return;
  observer.remark(fmt::format(
      "SimGrid will need about {} to simulate {}; {}--no-simulate leaves it out",
      format_duration(estimate), mapper,
      how.model == NetworkModel::cm02 ? "--solver fast gives the same times much sooner, " : ""));
}

std::string not_simulated(const Row& row) {
  return fmt::format("interrupted: {} is not simulated", row.mapper);
}

/// Times of a row; nothing where the user, or the end of the time, left them out.
std::optional<JobTimes> simulated(const Experiment& experiment, const Embedding& embedding,
                                  Seconds own_congestion, const RowSetup& setup,
                                  const RowControl& control, JobClock clock, const Row& row,
                                  Observer& observer) {
  auto end = control.simulated_by;
  if (!end && setup.budget.time)  // as long as each mapper has
    end = time_point_after(now(), **setup.budget.time);
  std::unique_ptr<StopRequest> request;
  SimulationOptions how = *setup.clock;
  if (how.solver == Solver::fast) {
    request = observer.listen();
    how.stop =
        stop_or_limit([&] { return request->is_set() || (end && now() >= *end); }, how.time_limit);
  } else {
    if (end) how.time_limit = Seconds{std::chrono::duration<double>(*end - now()).count()};
    if (end && how.time_limit->value <= 0) return std::nullopt;
    warn_if_simgrid_is_long(experiment, embedding, row.mapper, how, clock, observer);
  }
  const auto work = observer.begin("simulating " + row.mapper);
  how.progress = work->callback();
  how.static_bound = own_congestion;
  std::vector<Seconds> phase_bounds;
  for (const PhaseRow& phase : row.phases) phase_bounds.push_back(phase.metrics.max_congestion);
  try {
    if (request && request->is_set()) throw SimulationError("stopped");
    return simulate_job(experiment, embedding, how, phase_bounds, control.spans);
  } catch (const SimulationError&) {
    const bool interrupted = request && request->is_set();
    if (!interrupted && !(end && now() >= *end)) throw;
    observer.remark(
        interrupted
            ? not_simulated(row)
            : fmt::format("--time-limit {} is too short to simulate {}: static figures decide",
                          setup.budget.time->text(), row.mapper));
    return std::nullopt;
  }
}

void add_times(JobTimes times, const SimulationOptions& how, JobClock clock, Row& row) {
  for (std::size_t p = 0; p < row.phases.size(); ++p) {
    row.phases[p].start = times.phases[p].start;
    row.phases[p].end = times.phases[p].end;
    row.phases[p].simulation = std::move(times.phases[p].step);
  }
  row.simulation = std::move(times.total);
  row.solver = to_string(how.solver);
  row.network_model = to_string(how.model);
  row.clock = to_string(clock);
}

/// Evaluates and simulates what a mapper gave.
Row row_of(const Experiment& experiment, const MapperSpec& mapper, const Mapped& mapped,
           const RowSetup& setup, int threads, const RowControl& control, Observer& observer) {
  Row row;
  row.mapper = row_label(mapper);
  row.seed = setup.budget.seed;
  row.ranks = experiment.guest.num_ranks();
  row.hosts = experiment.allocation.num_hosts();
  row.routing = experiment.network->routing();
  row.bounds = setup.bounds;
  row.timing = setup.timing;
  row.mapping_time = mapped.time;
  auto work = observer.begin("evaluating " + row.mapper);
  const auto network = routed_network(experiment, mapped.embedding);
  Metrics job = evaluate(experiment.guest, *network, mapped.embedding, work->callback(), threads);
  const Seconds own_congestion = job.max_congestion;
  row.metrics = with_others(experiment, *network, mapped.embedding, std::move(job),
                            work->callback(), threads);
  work.reset();
  row.top_links = top_links(experiment, *network, row.metrics, setup.top_links);
  row.metrics.links = {};  // reported by name above; a large network has millions
  if (experiment.schedule)
    evaluate_phases(*experiment.schedule, *experiment.network, mapped.embedding, threads,
                    experiment.background.has_value(), row);
  if (setup.ideal || row.routing == Routing::ideal) {
    const auto ideal = observer.begin("ideal routing of " + row.mapper);
    add_ideal(experiment, mapped.embedding, row);
  }
  if (!setup.clock) return row;
  const JobClock clock = job_clock(experiment, setup.clock->solver);
  std::optional<JobTimes> times;
  if (!control.spans) times = mapped.times;
  if (!times)
    times = simulated(experiment, mapped.embedding, own_congestion, setup, control, clock, row,
                      observer);
  if (times) add_times(std::move(*times), *setup.clock, clock, row);
  return row;
}

/// Entry n: the first row with the embedding of row n, or n where each row is simulated by itself.
std::vector<std::size_t> first_rows_alike(std::span<const Mapped> rows, bool each_by_itself) {
  std::vector<std::size_t> first;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto alike = std::find_if(first.begin(), first.end(), [&](std::size_t earlier) {
      return !each_by_itself && rows[earlier].embedding == rows[n].embedding;
    });
    first.push_back(alike == first.end() ? n : *alike);
  }
  return first;
}

/// How many of so many rows are made at a time.
std::size_t rows_at_once(const Experiment& experiment, std::size_t count, const RowSetup& setup) {
  if (!setup.clock || setup.clock->solver != Solver::fast) return 1;
  const std::size_t links = index(experiment.network->num_links()) / links_per_message;
  const std::size_t messages = std::max<std::size_t>(experiment.guest.num_edges() + links, 1);
  const std::size_t fitting = std::max<std::size_t>(max_messages_together / messages, 1);
  return std::min({fitting, count, static_cast<std::size_t>(setup.budget.threads)});
}

}  // namespace

PlacedRow make_row(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                   Observer& observer, const RowControl& control) {
  Mapped mapped = map_ranks(experiment, mapper, setup, observer, control);
  for (const std::string& sentence : mapped.remarks) observer.remark(sentence);
  Row row = row_of(experiment, mapper, mapped, setup, setup.budget.threads, control, observer);
  PlacedRow placed{std::move(row), std::move(mapped.embedding), mapper, std::move(mapped.search)};
  if (setup.made) setup.made(control.number, placed);
  return placed;
}

std::vector<PlacedRow> make_rows(const Experiment& experiment, std::span<const MapperSpec> mappers,
                                 const RowSetup& setup, Observer& observer) {
  std::vector<Mapped> mapped = map_ranks(experiment, mappers, setup, observer);
  const std::vector<std::size_t> first = first_rows_alike(mapped, setup.spans != nullptr);
  std::vector<std::size_t> distinct;
  for (std::size_t n = 0; n < first.size(); ++n)
    if (first[n] == n) distinct.push_back(n);
  const std::size_t at_once = rows_at_once(experiment, distinct.size(), setup);
  const int threads = setup.budget.threads / static_cast<int>(at_once);
  std::vector<Row> made(mapped.size());
  const auto pass_on = [&](std::size_t n) {
    if (setup.made) setup.made(n, {made[n], mapped[n].embedding, mappers[n], mapped[n].search});
  };
  const auto make = [&](std::size_t n, Observer& watch) {
    RowControl control;
    if (setup.spans) control.spans = [&, n](const RankSpan& span) { setup.spans(n, span); };
    made[n] = row_of(experiment, mappers[n], mapped[n], setup, threads, control, watch);
    pass_on(n);
  };
  std::vector<OneOfSeveral> watches;  // one entry per row that is made beside others
  if (at_once > 1) {
    const auto work = observer.begin(fmt::format("simulating {} embeddings", mapped.size()));
    const auto request = observer.listen();
    watches.assign(mapped.size(), OneOfSeveral(request->flag()));
    std::atomic<std::size_t> ended = 0;
    parallel_for(distinct.size(), static_cast<int>(at_once), [&](std::size_t i) {
      make(distinct[i], watches[distinct[i]]);
      work->update(static_cast<double>(++ended) / static_cast<double>(distinct.size()));
    });
  }
  for (std::size_t n = 0; n < mapped.size(); ++n) {
    if (first[n] == n) {
      if (at_once > 1)
        watches[n].pass_on(observer);
      else
        make(n, observer);
      continue;
    }
    made[n] = made[first[n]];
    made[n].mapper = row_label(mappers[n]);
    made[n].mapping_time = mapped[n].time;
    pass_on(n);
    if (setup.clock && !made[n].simulation) observer.remark(not_simulated(made[n]));
  }
  std::vector<PlacedRow> rows;
  for (std::size_t n = 0; n < mapped.size(); ++n)
    rows.push_back({std::move(made[n]), std::move(mapped[n].embedding), mappers[n],
                    std::move(mapped[n].search)});
  return rows;
}

Metrics metrics_of(const Experiment& experiment, const Embedding& embedding, int threads) {
  const auto network = routed_network(experiment, embedding);
  return with_others(experiment, *network, embedding,
                     evaluate(experiment.guest, *network, embedding, {}, threads), {}, threads);
}

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

Bounds bounds_of(const Experiment& experiment, Observer& observer) {
  const auto work = observer.begin("lower bounds");
  const JobBounds lower_bounds = bounds_of_job(*experiment.network, experiment.allocation);
  const Bounds bounds = lower_bounds(experiment.guest, work->callback());
  if (!experiment.schedule) return bounds;
  return schedule_bounds(bounds, *experiment.schedule, lower_bounds);
}

}  // namespace vtopo::detail

namespace vtopo {

Seconds PhaseRow::static_bound() const {
  return metrics.max_congestion * static_cast<double>(repeat);
}

std::optional<Seconds> PhaseRow::makespan() const {
  if (!simulation) return std::nullopt;
  return simulation->makespan * static_cast<double>(repeat);
}

}  // namespace vtopo
