#include "cli/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/interrupt.hpp"
#include "cli/mapping_runs.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report_output.hpp"
#include "cli/schedule_rows.hpp"
#include "cli/threshold.hpp"
#include "sim/embedding/embedding_files.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/mapper.hpp"
#include "sim/mapping/plugin/plugin.hpp"
#include "sim/report/report.hpp"
#include "sim/simulation/estimate.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/error.hpp"
#include "topology/parallel.hpp"
#include "topology/units_text.hpp"

namespace vtopo {

namespace {

constexpr int exit_threshold_exceeded = 5;
constexpr Seconds worth_a_warning{60};
constexpr int most_threads = 1024;

using Plan = WhatIfPlan;

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
void set_limits(const WhatIfOptions& options, Plan& plan) {
  if (!options.run_limit.empty()) plan.run_limit = parse_seconds(options.run_limit);
  if (!options.memory_limit.empty()) plan.memory_limit = parse_bytes(options.memory_limit);
  if (plan.run_limit && !(plan.run_limit->value > 0))
    throw UsageError(fmt::format("--run-limit \"{}\": accepted is a time > 0, such as 10m",
                                 options.run_limit));
  if (plan.memory_limit && !(plan.memory_limit->value > 0))
    throw UsageError(fmt::format("--memory-limit \"{}\": accepted is a size > 0, such as 8GiB",
                                 options.memory_limit));
  if ((plan.run_limit || plan.memory_limit) && plan.solver != Solver::simgrid)
    throw UsageError("--run-limit and --memory-limit are SimGrid's; solver fast has none");
}

Plan make_plan(const WhatIfOptions& options) {
  Plan plan;
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

/// Leaves out the mappers named by `all` that cannot map this problem, and says why.
void drop_unfit_mappers(const WhatIfOptions& options, const Scenario& scenario, Plan& plan) {
  const MappingProblem problem = mapping_problem(plan, options, scenario);
  std::erase_if(plan.mappers, [&](const MapperSpec& mapper) {
    if (!mapper.if_it_applies) return false;
    const auto reason = obstacle(mapper, problem);
    if (reason) say(fmt::format("left out: {} {}", mapper.name, *reason));
    return reason.has_value();
  });
}

Metrics evaluate_row(const std::string& mapper, const Plan& plan, const Scenario& scenario,
                     const Embedding& embedding) {
  ProgressBar bar("evaluating " + mapper);
  Metrics job =
      evaluate(scenario.guest, *scenario.network, embedding, bar.callback(), plan.threads);
  if (!scenario.background) return job;
  const PlacedTraffic all = beside(scenario.guest, embedding, scenario.background->traffic);
  return beside_others(std::move(job), evaluate(all.guest, *scenario.network, all.embedding,
                                                bar.callback(), plan.threads));
}

Bounds bound_all_rows(const Scenario& scenario) {
  ProgressBar bar("lower bounds");
  Bounds bounds =
      lower_bounds(scenario.guest, *scenario.network, scenario.allocation, bar.callback());
  if (scenario.schedule)
    bounds = schedule_bounds(bounds, *scenario.schedule, *scenario.network, scenario.allocation);
  return scenario.background ? beside_others(std::move(bounds), scenario.background->alone)
                             : bounds;
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
void simulate_row(const Plan& plan, const Scenario& scenario, const Embedding& embedding,
                  Row& row) {
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
  how.static_bound = row.metrics.max_congestion;
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

Row make_row(const MapperSpec& mapper, const Plan& plan, const WhatIfOptions& options,
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
  row.metrics = evaluate_row(row.mapper, plan, scenario, mapped.embedding);
  row.top_links = top_links(scenario, row.metrics, options.top_links);
  if (scenario.schedule)
    evaluate_phases(*scenario.schedule, *scenario.network, mapped.embedding, plan.threads, row);
  if (plan.simulate) simulate_row(plan, scenario, mapped.embedding, row);
  if (pictures) pictures->add(scenario.guest, mapped.embedding, row.metrics);
  row.metrics.links.clear();  // told by name above; a large network has millions
  return row;
}

void add_rows(const Plan& plan, const WhatIfOptions& options, const Scenario& scenario,
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
    if (plan.solver != Solver::simgrid) result.emplace_back("solver", options.solver);
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

void load_plugins(const std::vector<std::string>& plugins) {
  for (const std::string& plugin : plugins) add_plugin(plugin);
}

void add_plugin_option(CLI::App& verb, std::vector<std::string>& plugins) {
  verb.add_option("--plugin", plugins,
                  "shared library with more mappers (see examples/plugin); may be repeated")
      ->allow_extra_args(false);
}

void add_mapping_options(CLI::App& verb, WhatIfOptions& options, const std::string& mapper_help) {
  add_scenario_options(verb, options.scenario);
  verb.option_defaults()->group("Mapping and simulation");
  verb.add_option("--mapper", options.mappers, mapper_help);
  add_plugin_option(verb, options.plugins);
  verb.add_option(
          "--steps", options.steps,
          "budget of refining mappers, in tried exchanges, of tabu in made ones (default: by size)")
      ->check(whole_number());
  verb.add_option("--objective", options.objective,
                  "what refining mappers lower: hop-bytes, max-congestion, max-dilation, jsum, "
                  "jmax; a comma decides ties, 2*A+B weighs; simulated-time, in front: portfolio "
                  "asks SimGrid, others lower max-congestion, then hop-bytes");
  verb.add_option(
      "--time-limit", options.time_limit,
      "of each refining mapper, such as 10s: it returns the best found so far; so does the "
      "first Ctrl-C");
  verb.add_option("--threads", options.threads,
                  "of this command (0: as many as the hardware runs); they change no result, but "
                  "for how far a mapper gets under --time-limit")
      ->check(whole_number(most_threads));
  verb.add_flag(
          "--simulate,!--no-simulate", options.simulate,
          "replay the traffic by SimGrid's clock (default, unless the routing splits flows) or not")
      ->each([&options](const std::string&) { options.simulate_given = true; });
  verb.add_option("--solver", options.solver,
                  "simgrid, or fast: vtopo's own, the same times of model CM02 much sooner");
  verb.add_option("--network-model", options.network_model, "CM02, LV08 or SMPI");
  verb.add_option("--loopback-bandwidth", options.loopback_bandwidth,
                  "of messages inside a host; inf: they finish at once");
  verb.add_option(
      "--run-limit", options.run_limit,
      "of each simulation by SimGrid, such as 10m: one that takes longer is an error");
  verb.add_option("--memory-limit", options.memory_limit,
                  "of each simulation by SimGrid, such as 8GiB, on top of its problem");
  verb.add_option("--rank-times", options.rank_times, "write rank,finish_seconds to this CSV file");
}

void add_report_options(CLI::App& verb, WhatIfOptions& options) {
  verb.option_defaults()->group("Output");
  verb.add_option("--top-links", options.top_links, "list the most loaded links")
      ->check(whole_number(std::numeric_limits<int>::max()))
      ->each([&options](const std::string&) { options.top_links_given = true; });
  verb.add_option("--format", options.format,
                  "table, csv, json, html or svg (default: by extension)");
  verb.add_option("--timing", options.timing,
                  "on, or off: measured times are null and equal input gives equal bytes");
  verb.add_option("--fail-if", options.fail_if,
                  "exit with 5 if a row meets a condition such as max_congestion>2ms");
}

void add_what_if_options(CLI::App& verb, WhatIfOptions& options, const std::string& mapper_help) {
  add_mapping_options(verb, options, mapper_help);
  add_report_options(verb, options);
  verb.add_option(
      "-o,--output", options.output,
      "file (.txt, .csv, .json, .html, .svg), a folder with / at its end for all pictures, "
      "or - for stdout");
}

void add_embedding_options(CLI::App& verb, WhatIfOptions& options) {
  verb.option_defaults()->group("Mapping and simulation");
  auto* embedding = verb.add_option(
      "--embedding", options.embedding,
      "file that says which rank sits where, instead of a mapper; what vtopo map writes");
  verb.add_option("--embedding-format", options.embedding_format,
                  "csv, json, rankfile, ... (default: by extension; see vtopo map)")
      ->needs(embedding);
  embedding->excludes(verb.get_option("--mapper"));
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
