#include "cli/what_if/what_if_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/schedule_rows.hpp"
#include "cli/what_if/interrupt.hpp"
#include "cli/what_if/mapping_runs.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/simulation/estimate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

constexpr Seconds worth_a_warning{60};

/// Figures of an embedding, with other jobs beside it if there are any.
struct EvaluatedRow {
  Metrics metrics;
  Seconds own_congestion;  ///< of the job alone
};

EvaluatedRow evaluate_row(const std::string& mapper, const WhatIfPlan& plan,
                          const Scenario& scenario, const Embedding& embedding) {
  ProgressBar bar("evaluating " + mapper);
  Metrics job =
      evaluate(scenario.guest, *scenario.network, embedding, bar.callback(), plan.threads);
  const Seconds own_congestion = job.max_congestion;
  if (!scenario.background) return {std::move(job), own_congestion};
  const PlacedTraffic all = beside(scenario.guest, embedding, scenario.background->traffic);
  return {beside_others(std::move(job), evaluate(all.guest, *scenario.network, all.embedding,
                                                 bar.callback(), plan.threads)),
          own_congestion};
}

void warn_if_long(const Scenario& scenario, const Embedding& embedding, const std::string& mapper,
                  NetworkModel model) {
  Seconds estimate{0};
  if (!scenario.schedule)
    estimate = estimate_simulation_time(scenario.guest, *scenario.network, embedding);
  else
    for (const SchedulePhase& phase : scenario.schedule->phases)
      estimate += estimate_simulation_time(phase.traffic, *scenario.network, embedding);
  if (estimate < worth_a_warning) return;
  say(fmt::format(
      "SimGrid will need about {} to simulate {}; {}--no-simulate leaves it out",
      format_duration(estimate), mapper,
      model == NetworkModel::cm02 ? "--solver fast gives the same times much sooner, " : ""));
}

/// A first Ctrl-C leaves out the fast solver's times and nothing else.
void simulate_row(const WhatIfPlan& plan, const Scenario& scenario, const Embedding& embedding,
                  Seconds own_congestion, Row& row) {
  std::optional<Interrupt> interrupt;
  SimulationOptions how = simulation_options(plan);
  if (plan.solver == Solver::fast) {
    interrupt.emplace();
    how.stop = [&] { return interrupt->flag().load(); };
  } else {
    warn_if_long(scenario, embedding, row.mapper, plan.model);
  }
  ProgressBar bar("simulating " + row.mapper);
  how.progress = bar.callback();
  how.static_bound = own_congestion;
  try {
    if (scenario.schedule)
      simulate_phases(*scenario.schedule, *scenario.network, embedding, how, row);
    else
      row.simulation = simulate_job(scenario, embedding, how);
  } catch (const SimulationError&) {
    if (!interrupt || !interrupt->flag()) throw;
    say(fmt::format("interrupted: {} is not simulated", row.mapper));
    return;
  }
  row.solver = to_string(plan.solver);
  row.network_model = to_string(plan.model);
}

std::vector<ReportedLink> top_links(const Scenario& scenario, const Metrics& metrics, int count) {
  const Network& network = *scenario.network;
  const std::vector<LinkClass> kinds = network.link_classes();
  std::vector<ReportedLink> list;
  for (const LinkId link : most_loaded_links(metrics, count)) {
    list.push_back({network.link_name(link), metrics.links[index(link)]});
    if (scenario.background)
      list.back().background = scenario.background->alone.links[index(link)].traffic;
    if (kinds.size() > 1)
      list.back().kind = kinds[static_cast<std::size_t>(network.link_class(link))].name;
  }
  return list;
}

Row make_row(const MapperSpec& mapper, const WhatIfPlan& plan, const WhatIfOptions& options,
             const Scenario& scenario, const Bounds& bounds, const Mapped& mapped,
             std::optional<PictureSource>& pictures) {
  Row row;
  row.mapper = to_string(mapper);
  row.seed = options.scenario.seed;
  row.ranks = scenario.guest.num_ranks();
  row.hosts = scenario.allocation.num_hosts();
  row.routing = scenario.network->routing();
  row.bounds = bounds;
  row.timing = plan.timing;
  row.mapping_time = mapped.time;
  EvaluatedRow evaluated = evaluate_row(row.mapper, plan, scenario, mapped.embedding);
  row.metrics = std::move(evaluated.metrics);
  row.top_links = top_links(scenario, row.metrics, options.top_links);
  if (scenario.schedule)
    evaluate_phases(*scenario.schedule, *scenario.network, mapped.embedding, plan.threads, row);
  if (plan.simulate) simulate_row(plan, scenario, mapped.embedding, evaluated.own_congestion, row);
  if (pictures) pictures->add(scenario.guest, mapped.embedding, row.metrics);
  row.metrics.links.clear();  // told by name above; a large network has millions
  return row;
}

}  // namespace

Bounds bound_all_rows(const Scenario& scenario) {
  ProgressBar bar("lower bounds");
  Bounds bounds =
      lower_bounds(scenario.guest, *scenario.network, scenario.allocation, bar.callback());
  if (scenario.schedule)
    bounds = schedule_bounds(bounds, *scenario.schedule, *scenario.network, scenario.allocation);
  return scenario.background ? beside_others(std::move(bounds), scenario.background->alone)
                             : bounds;
}

void add_rows(const WhatIfPlan& plan, const WhatIfOptions& options, const Scenario& scenario,
              const Bounds& bounds, const WhatIfHooks& hooks, Report& report,
              std::optional<PictureSource>& pictures) {
  MappingRuns runs(plan, options, scenario, bounds);
  for (std::size_t m = 0; m < plan.mappers.size(); ++m) {
    const Mapped mapped = runs.take(m);
    for (const std::string& remark : mapped.remarks) say(remark);
    if (hooks.mapped) hooks.mapped(scenario, report, mapped.embedding);
    report.rows.push_back(
        make_row(plan.mappers[m], plan, options, scenario, bounds, mapped, pictures));
  }
}

}  // namespace vtopo
