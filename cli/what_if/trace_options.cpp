#include "cli/what_if/trace_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/experiment/trace_run.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo {

namespace {

constexpr int usual_steps = 10;

std::vector<std::string> trace_format_words() {
  std::vector<std::string> words;
  for (const TraceFormat& format : trace_formats()) words.emplace_back(format.name);
  return words;
}

std::vector<std::string> library_words() {
  const auto libraries = ruled_libraries();
  return {libraries.begin(), libraries.end()};
}

double scale_of(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value) || *value < 0)
    throw UsageError(fmt::format("--compute-scale \"{}\": expected a finite number >= 0", text));
  return *value;
}

TraceSettings settings_of(const TraceVerbOptions& trace) {
  TraceSettings settings{trace.path, {}, trace.critical_path.has_value()};
  settings.options.format = trace.format;
  settings.options.compute_scale = scale_of(trace.compute_scale);
  settings.options.collectives.library = trace.library;
  if (!trace.collectives.empty())
    settings.options.collectives.algorithms = parse_patterns(trace.collectives);
  return settings;
}

}  // namespace

void add_trace_options(Verb& verb, TraceVerbOptions& options) {
  verb.group("Recorded program instead of a topology");
  verb.add("--trace", &options.path,
           "trace of a run: folder of VTOPO_RECORD_TRACE, list of smpirun -trace-ti, or GOAL; its "
           "messages and its local work are replayed under the mapper");
  verb.add("--trace-format", &options.format, "format of the trace (default: by its content)")
      .takes(trace_format_words());
  verb.add("--compute-scale", &options.compute_scale,
           "factor of recorded local work; flops of SMPI's traces take 1 ns");
  verb.add("--collectives", &options.collectives,
           "algorithms of the trace's collectives, such as "
           "allreduce:algorithm=ring,bcast:algorithm=chain,segment=64KiB");
  verb.add("--library", &options.library, "whose rules choose the algorithms of the others")
      .takes(library_words());
  verb.add("--critical-path", &options.critical_path,
           "report what decided the makespan; the table lists so many longest steps");
}

int run_trace_verb(const WhatIfOptions& options, const TraceVerbOptions& trace) {
  const OutputFormat form = choose_output_format(options.format, options.output);
  check_output(options.output);
  if (!options.rank_times.empty()) check_output(options.rank_times);
  if (!options.rank_times.empty() && options.rank_times == options.output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", options.output));
  if (!options.fail_if.empty()) throw UsageError("--trace and --fail-if: expected one of them");
  const TraceReport report = run_trace(options.scenario, settings_of(trace), console());
  if (!options.rank_times.empty())
    write_output(options.rank_times, trace_rank_times_csv(report.rows.front()));
  write_output(options.output,
               form == OutputFormat::json ? render_trace_json(report)
               : form == OutputFormat::csv
                   ? render_trace_csv(report)
                   : render_trace_table(report, trace.critical_path.value_or(usual_steps)));
  return 0;
}

}  // namespace vtopo
