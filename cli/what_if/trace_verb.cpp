#include "cli/what_if/trace_verb.hpp"

#include <fmt/format.h>

#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/experiment/trace_run.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr int usual_steps = 10;

}  // namespace

int run_trace_verb(const WhatIfOptions& options, std::optional<int> critical_path) {
  const OutputFormat form = choose_output_format(options.format, options.output);
  check_output(options.output);
  if (!options.rank_times.empty()) check_output(options.rank_times);
  if (!options.rank_times.empty() && options.rank_times == options.output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", options.output));
  if (!options.fail_if.empty()) throw UsageError("--trace and --fail-if: expected one of them");
  const TraceReport report = run_trace(options.scenario, critical_path.has_value(), console());
  if (!options.rank_times.empty())
    write_output(options.rank_times, trace_rank_times_csv(report.rows.front()));
  write_output(options.output,
               form == OutputFormat::json ? render_trace_json(report)
               : form == OutputFormat::csv
                   ? render_trace_csv(report)
                   : render_trace_table(report, critical_path.value_or(usual_steps)));
  return 0;
}

}  // namespace vtopo::detail
