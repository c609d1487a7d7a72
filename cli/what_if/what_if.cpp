#include "cli/what_if/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "cli/what_if/mapping_runs.hpp"
#include "cli/what_if/what_if_plan.hpp"
#include "cli/what_if/what_if_rows.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/report/report.hpp"
#include "topology/base/error.hpp"

namespace vtopo {

namespace {

constexpr int exit_threshold_exceeded = 5;

using Plan = WhatIfPlan;

/// Leaves out the mappers named by `all` that cannot map this problem, and says why.
void drop_unfit_mappers(const WhatIfOptions& options, const Scenario& scenario, Plan& plan) {
  const MappingProblem problem = mapping_problem(plan, options, scenario);
  std::erase_if(plan.mappers, [&](const MapperSpec& mapper) {
    if (!mapper.if_it_applies) return false;
    const auto reason = unsupported_reason(mapper, problem);
    if (reason) say(fmt::format("left out: {} {}", mapper.name, *reason));
    return reason.has_value();
  });
}

std::vector<std::pair<std::string, std::string>> described(const WhatIfOptions& options,
                                                           const Plan& plan) {
  auto result = described(options.scenario);
  std::string mappers;
  for (const auto& mapper : plan.mappers)
    mappers += (mappers.empty() ? "" : ",") + to_string(mapper);
  for (const auto& plugin : options.plugins) result.emplace_back("plugin", plugin);
  result.emplace_back("mapper", mappers);
  if (options.objective) result.emplace_back("objective", to_string(plan.objective));
  if (options.steps) result.emplace_back("steps", std::to_string(*options.steps));
  if (!options.time_limit.empty()) result.emplace_back("time-limit", options.time_limit);
  if (plan.simulate) {
    if (options.solver != to_string(Solver::automatic))
      result.emplace_back("solver", options.solver);
    result.emplace_back("network-model", options.network_model);
    result.emplace_back("loopback-bandwidth", options.loopback_bandwidth);
  } else {
    result.emplace_back("no-simulate", "true");
  }
  if (options.top_links_given) result.emplace_back("top-links", std::to_string(options.top_links));
  return result;
}

std::string rank_times_csv(const SimulationResult& simulation) {
  std::string text = "rank,finish_seconds\n";
  for (std::size_t r = 0; r < simulation.rank_finish.size(); ++r)
    text += fmt::format("{},{}\n", r, simulation.rank_finish[r].value);
  return text;
}

}  // namespace

int run_what_if(const WhatIfOptions& options, const WhatIfHooks& hooks) {
  Plan plan = make_plan(options);
  const Scenario scenario = build_scenario(options.scenario);
  plan.simulate = will_simulate(options, *scenario.network);
  if (hooks.built) hooks.built(scenario);
  drop_unfit_mappers(options, scenario, plan);
  const Bounds bounds = bound_all_rows(scenario);
  Report report;
  report.scenario = described(options, plan);
  report.guest = scenario.guest_text;
  report.network = scenario.network_text;
  if (scenario.background) report.background = scenario.background->text;
  if (const auto obstacle = why_not_simulated(*scenario.network)) {
    report.not_simulated = *obstacle + "; all figures are static";
    if (!options.simulate_given && plan.form != ReportForm::table)
      say("not simulated: " + report.not_simulated);
  }
  if (scenario.recorded) report.makespan_name = "burst makespan of aggregated traffic";
  std::optional<PictureSource> pictures;
  if (has_pictures(plan.form)) pictures.emplace(scenario.guest, scenario.network);
  add_rows(plan, options, scenario, bounds, hooks, report, pictures);
  if (!options.rank_times.empty() && !report.rows.front().simulation)
    throw SimulationError("--rank-times: the simulation was interrupted");
  if (!options.rank_times.empty())
    write_output(options.rank_times, rank_times_csv(*report.rows.front().simulation));
  write_report(plan.form, options.output, report, pictures, hooks.table);
  if (!plan.threshold) return 0;
  const auto sentence = exceeded(*plan.threshold, report);
  if (sentence) say(*sentence);
  return sentence ? exit_threshold_exceeded : 0;
}

}  // namespace vtopo
