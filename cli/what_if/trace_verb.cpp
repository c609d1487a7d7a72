#include "cli/what_if/trace_verb.hpp"

#include <fmt/format.h>

#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/experiment/trace_run.hpp"
#include "sim/report/page/trace_page.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr int usual_steps = 10;

enum class TraceForm { table, csv, json, html };

TraceForm choose_trace_form(const std::optional<std::string>& format, const std::string& path) {
  if (format == "html" || (!format && path.ends_with(".html"))) return TraceForm::html;
  switch (choose_output_format(format, path)) {
    case OutputFormat::csv:
      return TraceForm::csv;
    case OutputFormat::json:
      return TraceForm::json;
    case OutputFormat::table:
      break;
  }
  return TraceForm::table;
}

std::string render(const TraceReport& report, TraceForm form, int num_steps) {
  switch (form) {
    case TraceForm::html:
      return render_trace_page(report);
    case TraceForm::csv:
      return render_trace_csv(report);
    case TraceForm::json:
      return render_trace_json(report);
    case TraceForm::table:
      break;
  }
  return render_trace_table(report, num_steps);
}

}  // namespace

int run_trace_verb(const WhatIfOptions& options, std::optional<int> critical_path) {
  const TraceForm form = choose_trace_form(options.format, options.output);
  check_output(options.output);
  if (!options.rank_times.empty()) check_output(options.rank_times);
  if (!options.rank_times.empty() && options.rank_times == options.output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", options.output));
  if (!options.fail_if.empty()) throw UsageError("--trace and --fail-if: expected one of them");
  const bool is_page = form == TraceForm::html;
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
