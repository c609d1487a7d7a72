#include "cli/what_if_plan.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "sim/embedding/embedding_files.hpp"
#include "topology/error.hpp"
#include "topology/parallel.hpp"
#include "topology/units_text.hpp"

namespace vtopo {

namespace {

std::vector<MapperSpec> chosen_mappers(const WhatIfOptions& options) {
  if (options.embedding.empty()) return parse_mappers(options.mappers);
  MapperSpec file{"file", {{"path", options.embedding}}};
  file.options["format"] = embedding_format_of(options.embedding, options.embedding_format).name;
  return {file};
}

bool needs_makespan(const std::optional<Threshold>& threshold) {
  return threshold && threshold->field->name == "makespan";
}

/// @throws UsageError for a limit that is not > 0 and for one that nothing keeps.
void set_limits(const WhatIfOptions& options, WhatIfPlan& plan) {
  if (!options.run_limit.empty()) plan.run_limit = parse_seconds(options.run_limit);
  if (!options.memory_limit.empty()) plan.memory_limit = parse_bytes(options.memory_limit);
  if (plan.run_limit && !(plan.run_limit->value > 0))
    throw UsageError(
        fmt::format("--run-limit \"{}\": accepted is a time > 0, such as 10m", options.run_limit));
  if (plan.memory_limit && !(plan.memory_limit->value > 0))
    throw UsageError(fmt::format("--memory-limit \"{}\": accepted is a size > 0, such as 8GiB",
                                 options.memory_limit));
  if ((plan.run_limit || plan.memory_limit) && plan.solver != Solver::simgrid)
    throw UsageError("--run-limit and --memory-limit are SimGrid's; solver fast has none");
}

}  // namespace

WhatIfPlan make_plan(const WhatIfOptions& options) {
  WhatIfPlan plan;
  plan.mappers = chosen_mappers(options);
  if (options.objective) plan.objective = parse_objective(*options.objective);
  if (!options.time_limit.empty()) plan.time_limit = parse_seconds(options.time_limit);
  plan.threads = options.threads > 0 ? options.threads : hardware_threads();
  plan.model = parse_network_model(options.network_model);
  plan.solver = parse_solver(options.solver);
  check_solver(plan.solver, plan.model);
  set_limits(options, plan);
  plan.loopback_bandwidth = parse_bandwidth(options.loopback_bandwidth);
  plan.form = choose_report_form(options.format, options.output);
  check_report_output(plan.form, options.output);
  if (!options.rank_times.empty()) check_output(options.rank_times);
  if (!options.fail_if.empty()) plan.threshold = parse_threshold(options.fail_if);
  plan.simulate = options.simulate;
  if (needs_makespan(plan.threshold) && !plan.simulate)
    throw UsageError(
        "a condition on makespan needs the simulation, which --no-simulate leaves out");
  if (plan.objective.simulated_time && !plan.simulate)
    throw UsageError(
        "--objective simulated-time needs the simulation, which --no-simulate leaves out");
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  plan.timing = options.timing == "on";
  if (!options.rank_times.empty() && plan.mappers.size() != 1)
    throw UsageError("--rank-times takes one mapper");
  if (!options.rank_times.empty() && options.rank_times == options.output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", options.output));
  if (!options.rank_times.empty() && !plan.simulate)
    throw UsageError("--rank-times needs the simulation, which --no-simulate leaves out");
  return plan;
}

bool will_simulate(const WhatIfOptions& options, const Network& network) {
  const auto obstacle = why_not_simulated(network);
  if (!obstacle) return options.simulate;
  if (options.simulate_given && options.simulate)
    throw UsageError(fmt::format("--simulate: {}; accepted: --routing simgrid", *obstacle));
  if (options.objective && parse_objective(*options.objective).simulated_time)
    throw UsageError("--objective simulated-time needs the simulation, but " + *obstacle);
  if (!options.fail_if.empty() && needs_makespan(parse_threshold(options.fail_if)))
    throw UsageError("a condition on makespan needs the simulation, but " + *obstacle);
  if (!options.rank_times.empty())
    throw UsageError("--rank-times needs the simulation, but " + *obstacle);
  return false;
}

}  // namespace vtopo
