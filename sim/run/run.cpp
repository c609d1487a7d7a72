#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/placement/embedding_files.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/ideal_rows.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/mapping_runs.hpp"
#include "sim/run/row_simulations.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "sim/run/schedule_rows.hpp"
#include "sim/run/sensitivity.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/clock/estimate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

using Clock = SearchControl::Clock;

/// Share of the time of a whole run for simulating the order given, and for what comes after the
/// last row.
constexpr double share_of_first = 0.15;
constexpr double share_of_end = 0.01;

/// A scenario on its way to a report.
struct Running {
  Scenario scenario;  ///< with what was found out about it
  Observer& observer;
  const RunHooks& hooks;
  Clock::time_point start = Clock::now();
  std::vector<MapperSpec> mappers = {};
  Experiment experiment = {};
  Bounds bounds = {};
};

/// The embedding of a file as a mapper.
MapperSpec file_mapper(const Scenario& scenario) {
  MapperSpec file{mapper_of(MapperRole::embedding_file).name, {{"path", scenario.embedding}}};
  file.options["format"] = embedding_format_of(scenario.embedding, scenario.embedding_format).name;
  return file;
}

std::vector<MapperSpec> chosen_mappers(const Scenario& scenario, bool keeps_order) {
  std::vector<MapperSpec> mappers;
  if (!scenario.embedding.empty()) mappers.push_back(file_mapper(scenario));
  if (!scenario.embedding.empty() && !keeps_order) return mappers;
  if (mappers.empty() && keeps_order) mappers.push_back({mapper_of(MapperRole::baseline).name, {}});
  for (MapperSpec& mapper : parse_mappers(scenario.mappers))
    if (!keeps_order || to_string(mapper) != to_string(mappers.front()))
      mappers.push_back(std::move(mapper));
  return mappers;
}

/// What is asked for and only a simulation gives; empty: nothing.
std::string simulation_need(const Scenario& scenario, const std::string& needed_by) {
  return objective_of(scenario).time == TimeFirst::simulated ? "--objective simulated-time"
                                                             : needed_by;
}

/// Leaves out the mappers named by `all` that cannot map this problem, and says why.
void drop_unfit_mappers(Running& running) {
  const MappingProblem problem = mapping_problem(running.scenario, running.experiment);
  std::erase_if(running.mappers, [&](const MapperSpec& mapper) {
    if (!mapper.if_it_applies) return false;
    const auto reason = unsupported_reason(mapper, problem);
    if (reason) running.observer.remark(fmt::format("left out: {} {}", mapper.name, *reason));
    return reason.has_value();
  });
}

/// Metrics of an embedding, alongside other jobs if there are any.
struct EvaluatedRow {
  Metrics metrics;
  Seconds own_congestion;  ///< of the job alone
};

EvaluatedRow evaluate_row(const std::string& mapper, const Running& running,
                          const Embedding& embedding) {
  const Experiment& experiment = running.experiment;
  const int threads = threads_of(running.scenario);
  const auto work = running.observer.begin("evaluating " + mapper);
  Metrics job =
      evaluate(experiment.guest, *experiment.network, embedding, work->callback(), threads);
  const Seconds own_congestion = job.max_congestion;
  if (!experiment.background) return {std::move(job), own_congestion};
  const PlacedTraffic all = beside(experiment.guest, embedding, experiment.background->traffic);
  return {beside_others(std::move(job), evaluate(all.guest, *experiment.network, all.embedding,
                                                 work->callback(), threads)),
          own_congestion};
}

/// When the n-th row must have been simulated; nothing where any time will do.
std::optional<Clock::time_point> end_of_row(const Running& running, std::size_t row) {
  const auto& limit = running.scenario.time_limit;
  if (!limit || !running.hooks.keeps_order) return std::nullopt;
  const double share = row == 0 ? share_of_first : 1 - share_of_end;
  return running.start + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>((*limit)->value * share));
}

std::vector<ReportedLink> top_links(const Experiment& experiment, const Metrics& metrics,
                                    int count) {
  const Network& network = *experiment.network;
  const std::vector<LinkClass> kinds = network.link_classes();
  std::vector<ReportedLink> list;
  for (const LinkId link : most_loaded_links(metrics, count)) {
    list.push_back({network.link_name(link), metrics.links[index(link)]});
    if (experiment.background)
      list.back().background = experiment.background->alone.links[index(link)].traffic;
    if (kinds.size() > 1)
      list.back().kind = kinds[static_cast<std::size_t>(network.link_class(link))].name;
  }
  return list;
}

/// The n-th row.
Row make_row(std::size_t n, const Running& running, const Mapped& mapped,
             RowSimulations& simulations) {
  const Scenario& scenario = running.scenario;
  const Experiment& experiment = running.experiment;
  Row row;
  row.mapper = row_label(running.mappers[n]);
  row.seed = scenario.seed;
  row.ranks = experiment.guest.num_ranks();
  row.hosts = experiment.allocation.num_hosts();
  row.routing = experiment.network->routing();
  row.bounds = running.bounds;
  row.timing = running.hooks.timing;
  row.mapping_time = mapped.time;
  EvaluatedRow evaluated = evaluate_row(row.mapper, running, mapped.embedding);
  row.metrics = std::move(evaluated.metrics);
  row.top_links =
      top_links(experiment, row.metrics, scenario.top_links.value_or(running.hooks.top_links));
  if (experiment.schedule)
    evaluate_phases(*experiment.schedule, *experiment.network, mapped.embedding,
                    threads_of(scenario), experiment.background.has_value(), row);
  if (scenario.ideal || row.routing == Routing::ideal) {
    const auto work = running.observer.begin("ideal routing of " + row.mapper);
    put_ideal(experiment, mapped.embedding, row);
  }
  if (*scenario.simulate)
    simulations.put(n, mapped.embedding, evaluated.own_congestion, end_of_row(running, n), row);
  if (running.hooks.evaluated) running.hooks.evaluated(experiment, mapped.embedding, row);
  row.metrics.links.clear();  // reported by name above; a large network has millions
  return row;
}

Bounds bounds_of(const Running& running) {
  const Experiment& experiment = running.experiment;
  const auto work = running.observer.begin("lower bounds");
  Bounds bounds =
      lower_bounds(experiment.guest, *experiment.network, experiment.allocation, work->callback());
  if (experiment.schedule)
    bounds =
        schedule_bounds(bounds, *experiment.schedule, *experiment.network, experiment.allocation);
  return experiment.background ? beside_others(std::move(bounds), experiment.background->alone)
                               : bounds;
}

/// Leaves out what messages cost at their ends where the clock of the job does not know it.
/// @throws UsageError if the scenario asks for it, not only the machine's description.
void settle_endpoint_costs(Running& running) {
  const Scenario& scenario = running.scenario;
  Experiment& experiment = running.experiment;
  if (!*scenario.simulate) return;
  const Solver solver = chosen_solver(*scenario.solver, *scenario.network_model);
  const auto reason = why_no_endpoint_costs(experiment, solver);
  if (!reason || scenario.overhead || scenario.gap || scenario.eager_limit || scenario.handshake ||
      scenario.reduction_bandwidth) {
    job_clock(experiment, solver);  // refuses what it cannot
    return;
  }
  EndpointCosts only_memory;
  only_memory.memory_bandwidth = experiment.endpoint.memory_bandwidth;
  if (!costs_nothing_between_hosts(experiment.endpoint))
    running.observer.remark("left out: costs at the ends of messages: " + *reason);
  experiment.endpoint = only_memory;
  job_clock(experiment, solver);
}

/// The scenario as the report repeats it: mappers and objective in full.
std::vector<std::pair<std::string, std::string>> repeated(const Running& running) {
  Scenario scenario = running.scenario;
  scenario.mappers.clear();
  for (const MapperSpec& mapper : running.mappers)
    scenario.mappers += (scenario.mappers.empty() ? "" : ",") + to_string(mapper);
  if (scenario.objective) scenario.objective = to_string(**scenario.objective);
  return described(scenario);
}

/// The time until the end of a run, but for as much as the row of the order given took.
std::optional<Clock::time_point> deadline_of_mapper(const Running& running,
                                                    Clock::duration time_of_row) {
  const auto end = end_of_row(running, 1);
  if (!end) return std::nullopt;
  return *end - time_of_row - time_of_row / 2;
}

Report without_rows(const Running& running) {
  const Experiment& experiment = running.experiment;
  Report report;
  report.scenario = repeated(running);
  report.guest = experiment.guest_text;
  report.network = experiment.network_text;
  if (experiment.background) report.background = experiment.background->text;
  if (const auto reason = reason_not_simulated(running.scenario, *experiment.network))
    report.not_simulated = *reason + "; all figures are static";
  if (experiment.recorded) report.makespan_name = "burst makespan of aggregated traffic";
  return report;
}

/// @throws UsageError for two options that do not go together: one of them would not count.
void check_exclusions(const Scenario& scenario) {
  for (const ScenarioOption& option : scenario_options())
    for (const std::string_view other : option.excludes)
      if (is_given(option, scenario) && is_given(scenario_option(other), scenario))
        throw UsageError(
            fmt::format("--{} and --{} exclude each other: give one of them", option.name, other));
}

}  // namespace

void check_scenario(const Scenario& scenario, const std::string& simulation_needed_by) {
  check_exclusions(scenario);
  chosen_mappers(scenario, false);
  chosen_solver(*scenario.solver, *scenario.network_model);
  parse_limits(scenario.limits);
  const std::string need = simulation_need(scenario, simulation_needed_by);
  if (!need.empty() && scenario.simulate == false)
    throw UsageError(need + " needs the simulation, which --no-simulate leaves out");
}

std::optional<std::string> reason_not_simulated(const Scenario& scenario, const Network& network) {
  return why_not_simulated(network, chosen_solver(*scenario.solver, *scenario.network_model));
}

bool will_simulate(const Scenario& scenario, const Network& network, const std::string& needed_by) {
  const auto reason = reason_not_simulated(scenario, network);
  if (!reason) return scenario.simulate.value_or(true);
  if (scenario.simulate == true)
    throw UsageError(
        fmt::format("--simulate: {}; accepted: --solver fast and "
                    "--network-model CM02, or --routing simgrid",
                    *reason));
  if (const auto need = simulation_need(scenario, needed_by); !need.empty())
    throw UsageError(need + " needs the simulation, but " + *reason);
  return false;
}

Report run(const Scenario& scenario, Observer& observer, const RunHooks& hooks) {
  check_scenario(scenario, hooks.simulation_needed_by);
  Running running{scenario, observer, hooks};
  running.mappers = chosen_mappers(scenario, hooks.keeps_order);
  running.experiment = build_experiment(scenario, observer);
  running.scenario.simulate =
      will_simulate(scenario, *running.experiment.network, hooks.simulation_needed_by);
  settle_endpoint_costs(running);
  if (hooks.built) hooks.built(running.experiment);
  drop_unfit_mappers(running);
  running.bounds = bounds_of(running);
  Report report = without_rows(running);
  MappingRuns runs(running.mappers, running.scenario, running.experiment, running.bounds, observer);
  if (!hooks.keeps_order) runs.run_together();
  RowSimulations simulations(running.scenario, running.experiment, observer, hooks.spans);
  if (!hooks.keeps_order && *running.scenario.simulate) simulations.begin(runs.found());
  std::vector<Mapped> mapped;
  mapped.reserve(running.mappers.size());
  MappingStart start;
  const auto map = [&] {
    mapped.push_back(runs.take(mapped.size(), start));
    for (const std::string& remark : mapped.back().remarks) observer.remark(remark);
    if (hooks.mapped) hooks.mapped(running.experiment, report, mapped.back().embedding);
  };
  if (!hooks.keeps_order) {
    while (mapped.size() < running.mappers.size()) map();
    if (*running.scenario.simulate) simulations.run_together(mapped);
  }
  for (std::size_t m = 0; m < running.mappers.size(); ++m) {
    if (hooks.keeps_order) map();
    const auto before = Clock::now();
    report.rows.push_back(make_row(m, running, mapped[m], simulations));
    if (!hooks.keeps_order || m > 0) continue;
    start = {&mapped.front().embedding, deadline_of_mapper(running, Clock::now() - before)};
    // What time does not allow for the first is not begun for the second.
    if (!report.rows.front().simulation) running.scenario.simulate = false;
  }
  const OrderRule rule{objective_of(scenario), scenario.min_gain};
  report.verdict = decide(report, hooks.keeps_order ? std::optional(rule) : std::nullopt);
  if (scenario.sensitivity) {
    std::vector<Embedding> embeddings;
    for (Mapped& row : mapped) embeddings.push_back(std::move(row.embedding));
    report.sensitivity =
        sensitivity_of(running.scenario, running.experiment, embeddings, report, observer);
  }
  if (scenario.sensitivity && !report.sensitivity)
    observer.remark("--sensitivity is left out: it compares two mappers or more, without a trace");
  if (hooks.ended) hooks.ended(running.experiment, report);
  return report;
}

Report run(const Scenario& scenario) {
  Observer nobody;
  return run(scenario, nobody);
}

}  // namespace vtopo
