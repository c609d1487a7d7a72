#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/plan.hpp"
#include "sim/run/sensitivity.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using TimePoint = RowControl::TimePoint;

/// Share of the time of a whole run for simulating the order given, and for what comes after the
/// last row.
constexpr double share_of_first = 0.35;
constexpr double share_of_end = 0.01;

/// @throws UsageError for two options that do not go together: one of them would not count.
void check_exclusions(const Scenario& scenario) {
  for (const ScenarioOption& option : scenario_options())
    for (const std::string_view other : option.excludes)
      if (is_given(option, scenario) && is_given(scenario_option(other), scenario))
        throw UsageError(
            fmt::format("--{} and --{} exclude each other: give one of them", option.name, other));
}

/// What is asked for and only a simulation gives; empty: nothing.
std::string simulation_need(const Objective& objective, const std::string& needed_by) {
  return objective.time == TimeFirst::simulated ? "--objective simulated-time" : needed_by;
}

/// @throws UsageError for what is asked for and left out.
void check_need(const Scenario& scenario, const Objective& objective,
                const std::string& needed_by) {
  const std::string need = simulation_need(objective, needed_by);
  if (!need.empty() && scenario.simulate == false)
    throw UsageError(need + " needs the simulation, which --no-simulate leaves out");
}

/// What counts where distances alone are known: hop-bytes, unless somebody says what.
/// @throws UsageError for an objective that looks at links or times.
Objective objective_of_distances(const RunPlan& plan) {
  if (!plan.scenario.objective) return {};
  const Objective& objective = plan.mapping.objective;
  bool has_times = objective.time != TimeFirst::no;
  std::vector<std::string> others;
  for (const Measure& measure : all_measures())
    if (measure.unit != "seconds")
      others.push_back(measure.name);
    else
      has_times = has_times || counts(objective, measure);
  if (has_times)
    throw UsageError(fmt::format(
        "--objective {}: {}; accepted: {}", plan.scenario.objective->text(),
        *why_not_simulated(*plan.experiment.network, Solver::fast), join(others, ", ")));
  return objective;
}

/// Leaves out the mappers named by `all` that cannot map this problem, and says why.
void drop_unfit_mappers(const RunPlan& plan, Observer& observer, std::vector<MapperSpec>& mappers) {
  const MappingProblem problem = mapping_problem(plan.experiment, plan.setup);
  std::erase_if(mappers, [&](const MapperSpec& mapper) {
    if (!mapper.if_it_applies) return false;
    const auto reason = unsupported_reason(mapper, problem);
    if (reason) observer.remark(fmt::format("left out: {} {}", mapper.name, *reason));
    return reason.has_value();
  });
}

/// The scenario as the report repeats it: mappers and objective in full.
std::vector<std::pair<std::string, std::string>> repeated(const RunPlan& plan,
                                                          const std::vector<MapperSpec>& mappers) {
  Scenario scenario = plan.scenario;
  scenario.mappers.clear();
  for (const MapperSpec& mapper : mappers)
    scenario.mappers += (scenario.mappers.empty() ? "" : ",") + to_string(mapper);
  if (scenario.objective) scenario.objective = to_string(**scenario.objective);
  return described(scenario);
}

/// What the report of a plan says before there are rows.
Report without_rows(const RunPlan& plan, const std::vector<MapperSpec>& mappers) {
  const Experiment& experiment = plan.experiment;
  Report report;
  report.scenario = repeated(plan, mappers);
  report.guest = experiment.guest_text;
  report.network = experiment.network_text;
  report.assumptions = experiment.assumptions;
  report.noise = experiment.noise;
  report.by_hop_bytes = experiment.network->facts().distances_only;
  if (experiment.background) report.background = experiment.background->text;
  if (const auto reason = why_not_simulated(*experiment.network, plan.solver))
    report.not_simulated = *reason + "; all figures are static";
  if (experiment.recorded) report.makespan_name = "burst makespan of aggregated traffic";
  return report;
}

/// Launchers give a job no more hosts than its ranks need.
void remark_hosts(const JobHosts& job, const RunPlan& plan, Observer& observer) {
  const auto& [hosts, slots] = plan.experiment.allocation;
  const int each = slots.front(), ranks = plan.experiment.guest.num_ranks();
  const int needed = (ranks - 1) / each + 1;
  const bool are_equal = std::all_of(slots.begin(), slots.end(), [&](int n) { return n == each; });
  const bool counts_nodes = each > 1 || std::holds_alternative<MachineFile>(plan.network.from);
  if (job.hosts != Scenario().hosts || std::holds_alternative<double>(job.slots) || !are_equal ||
      !counts_nodes || needed >= plan.experiment.allocation.num_hosts())
    return;
  observer.remark(
      fmt::format("the job has all {}; {}, {} on each, fit on {}: --nodes {} leaves the others out",
                  counted(hosts.size(), "host"), counted(ranks, "rank"), each, needed, needed));
}

/// The report with its rows and the verdict on them.
PlacedReport joined(Report report, std::vector<PlacedRow> rows,
                    const std::optional<OrderRule>& rule) {
  PlacedReport placed{std::move(report), {}};
  for (PlacedRow& row : rows) {
    placed.report.rows.push_back(std::move(row.row));
    placed.embeddings.push_back(std::move(row.embedding));
    placed.mappers.push_back(std::move(row.mapper));
    placed.searches.push_back(std::move(row.search));
  }
  double tolerance = 0;
  for (const Row& row : placed.report.rows)
    if (row.simulation) tolerance = std::max(tolerance, row.simulation->tolerance);
  if (tolerance > 0)
    placed.report.assumptions.push_back(fmt::format(
        "of so many different volumes, the end of a single message is found to about {:.0e} of its "
        "time in the mean, a few to fifty times that; the last end to less",
        tolerance));
  for (const Row& row : placed.report.rows)
    if (row.simulation && row.simulation->at_most.value > 0)
      placed.report.assumptions.push_back(
          fmt::format("simulated time of {}: certainly {:.6g} to {:.6g} s", row.mapper,
                      row.simulation->at_least.value, row.simulation->at_most.value));
  placed.report.verdict = decide(placed.report, rule);
  return placed;
}

/// The same with what else is asked for or to be said of the rows.
PlacedReport with_rows(const RunPlan& plan, Report report, std::vector<PlacedRow> rows,
                       const std::optional<OrderRule>& rule, Observer& observer) {
  PlacedReport placed = joined(std::move(report), std::move(rows), rule);
  if (plan.setup.ideal && plan.experiment.background)
    observer.remark("--ideal is left out: with a background it would be of all jobs, not of this");
  if (!plan.scenario.sensitivity) return placed;
  placed.report.sensitivity = sensitivity_of(**plan.scenario.sensitivity, plan, placed, observer);
  if (!placed.report.sensitivity)
    observer.remark("--sensitivity is left out: it compares times of two mappers, not of traces");
  return placed;
}

/// The order given, then the others.
std::vector<MapperSpec> with_order_given(const Mapping& mapping) {
  std::vector<MapperSpec> mappers{
      mapping.order_file.value_or(MapperSpec{mapper_of(MapperRole::baseline).name, {}})};
  for (const MapperSpec& mapper : mapping.mappers)
    if (to_string(mapper) != to_string(mappers.front())) mappers.push_back(mapper);
  return mappers;
}

/// When a share of the time of a whole run is over; nothing where any time will do.
std::optional<TimePoint> after_share(const RunPlan& plan, double share) {
  const auto& limit = plan.setup.budget.time;
  if (!limit) return std::nullopt;
  return time_point_after(plan.start, Seconds{(*limit)->value * share});
}

std::function<void(const RankSpan&)> spans_of(const RowSetup& setup, std::size_t row) {
  if (!setup.spans) return nullptr;
  return [&setup, row](const RankSpan& span) { setup.spans(row, span); };
}

}  // namespace

CheckedScenario checked(const Scenario& scenario) {
  check_exclusions(scenario);
  Mapping mapping = mapping_of(scenario);
  check_need(scenario, mapping.objective, {});
  return {std::move(mapping), clock_of(scenario)};
}

bool simulates(const ClockChoice& clock, const Objective& objective, const Network& network,
               const std::string& needed_by) {
  const auto reason = why_not_simulated(network, clock.how.solver);
  if (!reason) return clock.simulate.value_or(true);
  if (clock.simulate == true)
    throw UsageError(fmt::format("--simulate: {}{}", *reason,
                                 network.facts().distances_only
                                     ? ""
                                     : "; accepted: --solver fast and --network-model CM02, or "
                                       "--routing simgrid"));
  if (const auto need = simulation_need(objective, needed_by); !need.empty())
    throw UsageError(need + " needs the simulation, but " + *reason);
  return false;
}

RunPlan plan_run(const Scenario& scenario, CheckedScenario checked, Observer& observer,
                 const RunOptions& options) {
  const TimePoint start = SearchControl::Clock::now();
  auto& [mapping, clock] = checked;
  check_need(scenario, mapping.objective, options.simulation_needed_by);
  const GuestSource guest = guest_source(scenario);
  RowSetup setup{.objective = mapping.objective,
                 .budget = budget_of(scenario),
                 .clock = clock.how,
                 .top_links = scenario.top_links.value_or(options.top_links),
                 .ideal = scenario.ideal,
                 .timing = options.timing};
  const JobHosts job = job_of(scenario);
  RunPlan plan{start, scenario, std::move(mapping),
               with_named_failures(guest, network_source(scenario), job), std::move(setup)};
  plan.experiment = build_experiment(guest, plan.network, job, observer);
  plan.solver = clock.how.solver;
  remark_hosts(job, plan, observer);
  if (plan.experiment.network->facts().distances_only) {
    plan.mapping.objective = plan.setup.objective = objective_of_distances(plan);
    plan.experiment.assumptions.emplace_back(
        "distances alone are known: a link stands for each pair of hosts, so the busiest link is "
        "the pair that sends most, and hop-bytes decide");
  }
  plan.scenario.simulate = simulates(clock, plan.mapping.objective, *plan.experiment.network,
                                     options.simulation_needed_by);
  if (*plan.scenario.simulate)
    settle_endpoint_costs(plan.network, clock.how.solver, observer, plan.experiment);
  else
    plan.setup.clock.reset();
  return plan;
}

RunPlan plan_run(const Scenario& scenario, Observer& observer, const RunOptions& options) {
  return plan_run(scenario, checked(scenario), observer, options);
}

PlacedReport compare(RunPlan& plan, Observer& observer) {
  std::vector<MapperSpec> mappers = plan.mapping.mappers;
  if (plan.mapping.order_file) {
    const bool alone =
        mappers.size() == 1 && find_mapper(mappers.front().name).role == MapperRole::baseline;
    if (alone) mappers.clear();
    mappers.insert(mappers.begin(), *plan.mapping.order_file);
  }
  drop_unfit_mappers(plan, observer, mappers);
  plan.setup.bounds = bounds_of(plan.experiment, observer);
  Report report = without_rows(plan, mappers);
  return with_rows(plan, std::move(report),
                   make_rows(plan.experiment, mappers, plan.setup, observer), std::nullopt,
                   observer);
}

PlacedReport report_so_far(const RunPlan& plan, std::vector<PlacedRow> rows) {
  return joined(without_rows(plan, plan.mapping.mappers), std::move(rows), std::nullopt);
}

PlacedReport keep_or_move(RunPlan& plan, Observer& observer) {
  std::vector<MapperSpec> mappers = with_order_given(plan.mapping);
  drop_unfit_mappers(plan, observer, mappers);
  Report report = without_rows(plan, mappers);
  std::vector<PlacedRow> rows;
  rows.reserve(mappers.size());
  RowControl control{.simulated_by = after_share(plan, share_of_first),
                     .spans = spans_of(plan.setup, 0)};
  const TimePoint before = SearchControl::Clock::now();
  rows.push_back(make_row(plan.experiment, mappers.front(), plan.setup, observer, control));
  const std::chrono::duration<double> time_of_row =
      SearchControl::Clock::now() - before -
      std::chrono::duration<double>(rows.front().row.mapping_time->value);
  if (has_time_for_bounds(mapping_problem(plan.experiment, plan.setup),
                          {.deadline = after_share(plan, 1)}))
    plan.setup.bounds = bounds_of(plan.experiment, observer);
  else
    observer.remark(fmt::format("--time-limit {} is too short for lower bounds: left out",
                                plan.setup.budget.time->text()));
  rows.front().row.bounds = plan.setup.bounds;
  // What time does not allow for the first is not begun for the others.
  if (!rows.front().row.simulation) plan.setup.clock.reset();
  control = {.number = 0,
             .given = &rows.front().embedding,
             .simulated_by = after_share(plan, 1 - share_of_end)};
  if (control.simulated_by) {
    // Messages of another placement, which may all leave their hosts, take longer to simulate.
    constexpr double row_of_others = 4, least_share = 0.1;
    const std::chrono::duration<double> given{(**plan.setup.budget.time).value};
    const auto kept = std::max(row_of_others * time_of_row, least_share * given);
    control.mapped_by =
        *control.simulated_by - std::chrono::duration_cast<TimePoint::duration>(kept);
  }
  for (std::size_t m = 1; m < mappers.size(); ++m) {
    control.number = m;
    control.spans = spans_of(plan.setup, m);
    rows.push_back(make_row(plan.experiment, mappers[m], plan.setup, observer, control));
  }
  const OrderRule rule{plan.mapping.objective, plan.mapping.min_gain};
  return with_rows(plan, std::move(report), std::move(rows), rule, observer);
}

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

Report run(const Scenario& scenario, Observer& observer, const RunOptions& options) {
  RunPlan plan = plan_run(scenario, observer, options);
  return compare(plan, observer).report;
}

Report run(const Scenario& scenario) {
  Observer nobody;
  return run(scenario, nobody);
}

}  // namespace vtopo
