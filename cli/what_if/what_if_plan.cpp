#include "cli/what_if/what_if_plan.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/output/output.hpp"
#include "sim/embedding/embedding_files.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

std::vector<MapperSpec> chosen_mappers(const WhatIfOptions& options) {
  if (options.embedding.empty()) return parse_mappers(options.mappers);
  MapperSpec file{mapper_of(MapperRole::embedding_file).name, {{"path", options.embedding}}};
  file.options["format"] = embedding_format_of(options.embedding, options.embedding_format).name;
  return {file};
}

bool needs_makespan(const Threshold& threshold) {
  return threshold.field->name == "makespan";
}

/// What is asked for and only a simulation gives; empty: nothing.
std::string simulation_needed_by(const WhatIfOptions& options) {
  struct Need {
    bool exists;
    const char* name;
  };
  const std::array needs{
      Need{options.objective && parse_objective(*options.objective).simulated_time,
           "--objective simulated-time"},
      Need{!options.fail_if.empty() && needs_makespan(parse_threshold(options.fail_if)),
           "a condition on makespan"},
      Need{!options.rank_times.empty(), "--rank-times"}};
  for (const Need& need : needs)
    if (need.exists) return need.name;
  return {};
}

}  // namespace

WhatIfPlan make_plan(const WhatIfOptions& options) {
  WhatIfPlan plan;
  plan.mappers = chosen_mappers(options);
  if (options.objective) plan.objective = parse_objective(*options.objective);
  if (!options.time_limit.empty()) plan.time_limit = parse_seconds(options.time_limit);
  plan.threads = options.threads > 0 ? options.threads : hardware_threads();
  plan.model = parse_network_model(options.network_model);
  plan.solver = chosen_solver(parse_solver(options.solver), plan.model);
  plan.limits = parse_limits(options.scenario.limits);
  plan.loopback_bandwidth = parse_bandwidth(options.loopback_bandwidth);
  plan.form = choose_report_form(options.format, options.output);
  check_report_output(plan.form, options.output);
  if (!options.rank_times.empty()) check_output(options.rank_times);
  if (!options.fail_if.empty()) plan.threshold = parse_threshold(options.fail_if);
  plan.simulate = options.simulate;
  if (const auto need = simulation_needed_by(options); !need.empty() && !plan.simulate)
    throw UsageError(need + " needs the simulation, which --no-simulate leaves out");
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  plan.timing = options.timing == "on";
  if (!options.rank_times.empty() && plan.mappers.size() != 1)
    throw UsageError("--rank-times takes one mapper");
  if (!options.rank_times.empty() && options.rank_times == options.output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", options.output));
  return plan;
}

bool will_simulate(const WhatIfOptions& options, const Network& network) {
  const auto obstacle = why_not_simulated(network);
  if (!obstacle) return options.simulate;
  if (options.simulate_given && options.simulate)
    throw UsageError(fmt::format("--simulate: {}; accepted: --routing simgrid", *obstacle));
  if (const auto need = simulation_needed_by(options); !need.empty())
    throw UsageError(need + " needs the simulation, but " + *obstacle);
  return false;
}

}  // namespace vtopo
