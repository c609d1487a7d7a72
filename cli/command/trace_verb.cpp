#include "cli/command/trace_verb.hpp"

#include <fmt/format.h>

#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "sim/run/trace_run.hpp"
#include "sim/draw/page/trace_page.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr int usual_steps = 10;

std::string render(const TraceReport& report, ReportForm form, int num_steps) {
  if (form == ReportForm::html) return render_trace_page(report);
  if (form == ReportForm::csv) return render_trace_csv(report);
  if (form == ReportForm::json) return render_trace_json(report);
  return render_trace_table(report, num_steps);
}

}  // namespace

int run_trace_verb(const WhatIfOptions& options, std::optional<int> critical_path) {
  const ReportForm form = choose_page_form(options.format, options.output);
  for (const std::string& path : {options.output, options.rank_times})
    check_not_input(path, input_files(options));
  check_output(options.output);
  check_rank_times(options.rank_times, options.output);
  if (!options.fail_if.empty()) throw UsageError("--trace and --fail-if: expected one of them");
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

}  // namespace vtopo::detail
