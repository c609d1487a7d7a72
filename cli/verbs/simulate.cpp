#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/report/report.hpp"
#include "sim/report/trace_report.hpp"
#include "sim/report/trace_run.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr int usual_steps = 10;

std::string render(const TraceReport& report, ReportForm form, int num_steps) {
  if (form == ReportForm::html) return render_trace_page(report);
  if (form == ReportForm::csv) return render_trace_csv(report);
  if (form == ReportForm::json) return render_trace_json(report);
  return render_trace_table(report, num_steps, text_style());
}

/// Replays the trace of a scenario and writes where its time went; returns the exit code.
/// @param critical_path listed steps; absent: not asked for.
int run_trace_verb(const WhatIfOptions& options, std::optional<int> critical_path) {
  const ReportForm form = choose_page_form(options.format, options.output);
  check_not_input({options.output, options.rank_times}, input_files(options));
  check_output(options.output);
  check_side_file("--rank-times", options.rank_times, options.output);
  if (!options.fail_if.empty()) throw UsageError("--trace and --fail-if: expected one of them");
  if (!options.columns.empty()) throw UsageError("--trace and --columns: expected one of them");
  const bool is_page = form == ReportForm::html;
  const bool knows_path = *options.scenario.solver != Solver::simgrid &&
                          *options.scenario.network_model == NetworkModel::cm02;
  const TraceReport report = run_trace(
      options.scenario,
      {.critical_path = critical_path.has_value() || (is_page && knows_path), .timeline = is_page},
      console());
  if (!options.rank_times.empty())
    write_output(options.rank_times, trace_rank_times_csv(report.rows.front()));
  write_output(options.output, render(report, form, critical_path.value_or(usual_steps)));
  return 0;
}

constexpr int max_listed_steps = 1'000'000;

struct SimulateOptions : WhatIfOptions {
  std::optional<int> critical_path;  ///< listed steps; absent: not asked for
};

int run_simulate(SimulateOptions options, const Invocation& invocation) {
  load_plugins(options.scenario.plugins, invocation);
  if (options.scenario.simulate == false)
    throw UsageError("simulate without simulation: vtopo evaluate takes --no-simulate");
  options.scenario.simulate = true;  // an error where SimGrid cannot, not a table without times
  if (options.scenario.embedding.empty() && parse_mappers(options.scenario.mappers).size() != 1)
    throw UsageError(fmt::format("simulate takes one mapper, not \"{}\"; compare takes several",
                                 options.scenario.mappers));
  if (!options.scenario.trace.empty()) return run_trace_verb(options, options.critical_path);
  WhatIf run(options);
  return run.compare([&](const PlacedReport& placed) { return run.write(placed, render_times); });
}

}  // namespace

Verb simulate() {
  auto options = std::make_shared<SimulateOptions>();
  options->scenario.mappers = mapper_of(MapperRole::baseline).name;
  Verb verb{"simulate", "simulated time of one placement, phase by phase, or of a trace"};
  verb.listed = {VerbHeading::placing, 4};
  verb.examples =
      "Examples:\n"
      "  vtopo simulate 8x8x8 torus:8x8x8 --mapper rowmajor --pattern phased\n"
      "  vtopo simulate 16px16p torus:16x16 --pattern halo:repeat=100 "
      "--pattern allreduce:algorithm=ring,sub=1-0,bytes=64KiB\n"
      "  vtopo simulate cart:64 'fat-tree:2;8,8;1,4;1,1' --pattern alltoall:bytes=4KiB "
      "--rank-times times.csv\n"
      "  vtopo simulate 4x4 torus:4x4 --schedule examples/schedule-4x4.json\n"
      "  vtopo simulate examples/ring.goal torus:4x4 --critical-path 5\n"
      "  vtopo simulate examples/ring.goal torus:4x4 -o timeline.html";
  verb.several = "; vtopo compare takes several";
  add_plain_arguments(verb);
  verb.common = {"--nodes",         "--slots",       "--mapper",     "--embedding",
                 "--bytes",         "--domain",      "--ranks",      "--pattern",
                 "--schedule",      "--barriers",    "--solver",     "--network-model",
                 "--overhead",      "--eager-limit", "--background", "--compute-scale",
                 "--critical-path", "--rank-times",  "--format",     "--output"};
  add_what_if_options(verb, *options, "NAME[:option=value] (see vtopo mappers)");
  add_embedding_options(verb, options->scenario);
  verb.group(std::string(trace_group));
  verb.add("--critical-path", &options->critical_path,
           "report what decided the makespan; the table lists so many longest steps")
      ->check(whole_number(max_listed_steps))
      ->needs("--trace");
  verb.run = [options](const Invocation& invocation) { return run_simulate(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
