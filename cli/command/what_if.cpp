#include "cli/command/what_if.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/command/option_words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/evidence_file.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "cli/output/threshold.hpp"
#include "sim/run/sensitivity.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/check/evidence/evidence.hpp"
#include "sim/report/report.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr int exit_threshold_exceeded = 5;

/// What is done with the report; everything is checked before work starts.
struct WhatIfOutput {
  ReportForm form = ReportForm::table;
  std::optional<Threshold> threshold;
  bool has_evidence = false;  ///< of JSON in a file; standard output is for reading and pipes
};

/// Whether a path is, or will be, a file: neither standard output nor a device or pipe.
bool is_plain_file(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return path != "-" && (!std::filesystem::exists(status) || is_regular_file(status));
}

WhatIfOutput checked_output(const WhatIfOptions& options) {
  WhatIfOutput output;
  output.form = choose_report_form(options.format, options.output);
  output.has_evidence = output.form == ReportForm::json && is_plain_file(options.output);
  for (const std::string& path : {options.output, options.rank_times})
    check_not_input(path, input_files(options));
  if (output.has_evidence) check_not_input(evidence_path(options.output), input_files(options));
  check_report_output(output.form, options.output);
  check_rank_times(options.rank_times, options.output);
  if (!options.fail_if.empty()) {
    output.threshold = read_option("fail-if", [&] { return parse_threshold(options.fail_if); });
    if (output.threshold->note) say(*output.threshold->note);
  }
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  if (!options.rank_times.empty() && options.scenario.embedding.empty() &&
      parse_mappers(options.scenario.mappers).size() != 1)
    throw UsageError("--rank-times takes one mapper");
  return output;
}

std::string rank_times_csv(const SimulationResult& simulation) {
  const bool has_parts = !simulation.rank_computing.empty();
  std::string text = has_parts ? "rank,finish_seconds,computing_seconds,waiting_seconds\n"
                               : "rank,finish_seconds\n";
  for (std::size_t r = 0; r < simulation.rank_finish.size(); ++r) {
    text += fmt::format("{},{}", r, simulation.rank_finish[r].value);
    if (has_parts)
      text += fmt::format(",{},{}", simulation.rank_computing[r].value,
                          simulation.rank_waiting[r].value);
    text += '\n';
  }
  return text;
}

void write_rank_times(const std::string& path, const Report& report) {
  const Row& row = report.rows[report.verdict.best];
  if (!row.simulation) throw SimulationError("--rank-times: the simulation was interrupted");
  write_output(path, rank_times_csv(*row.simulation));
}

}  // namespace

std::vector<std::string> input_files(const Scenario& scenario) {
  return {scenario.traffic,   scenario.trace,    scenario.platform,
          scenario.embedding, scenario.schedule, scenario.background};
}

std::vector<std::string> input_files(const WhatIfOptions& options) {
  std::vector<std::string> files = input_files(options.scenario);
  files.push_back(options.scenario_file);
  return files;
}

std::string simulation_needed_by(const WhatIfOptions& options) {
  if (!options.fail_if.empty() && parse_threshold(options.fail_if).field->name == "makespan")
    return "a condition on makespan";
  return options.rank_times.empty() ? "" : "--rank-times";
}

int run_what_if(const WhatIfOptions& options, const WhatIfHooks& hooks) {
  check_scenario(options.scenario);
  const WhatIfOutput output = checked_output(options);
  std::optional<PictureSource> pictures;
  RankTimeline timeline;
  RunHooks watch;
  watch.simulation_needed_by = simulation_needed_by(options);
  watch.top_links = options.default_top_links;
  watch.timing = options.timing == "on";
  watch.mapped = hooks.mapped;
  EvidenceSource evidence;
  watch.ended = [&](const Experiment& experiment, const Report& report) {
    if (hooks.ended) hooks.ended(experiment, report);
    if (output.has_evidence) evidence.finish(experiment, report);
  };
  watch.keeps_order = hooks.keeps_order;
  watch.built = [&](const Experiment& experiment) {
    if (hooks.built) hooks.built(experiment);
    if (has_pictures(output.form)) {
      pictures.emplace(experiment.guest, experiment.network);
      timeline = RankTimeline(experiment.guest.num_ranks());
    }
    const auto reason = reason_not_simulated(options.scenario, *experiment.network);
    if (reason && !options.scenario.simulate && output.form != ReportForm::table)
      say(fmt::format("not simulated: {}; all figures are static", *reason));
  };
  if (has_pictures(output.form)) watch.spans = [&](const RankSpan& span) { timeline.add(span); };
  watch.evaluated = [&](const Experiment& experiment, const Embedding& embedding, const Row& row) {
    if (pictures) pictures->add(experiment.guest, embedding, row.metrics, timeline.take(row));
    if (output.has_evidence) evidence.add(experiment, embedding, row);
  };
  Report report = run(options.scenario, console(), watch);
  if (hooks.launch) report.launch = hooks.launch();
  if (report.sensitivity && (output.form == ReportForm::csv || output.form == ReportForm::svg)) {
    const std::string sentences = describe(*report.sensitivity);
    for (const auto line : split(sentences, '\n')) say(std::string(trim(line)));
  }
  if (!options.rank_times.empty()) write_rank_times(options.rank_times, report);
  if (output.has_evidence)
    write_output(options.output,
                 render_json(report, placed_evidence(evidence.text(), options.output)));
  else
    write_report(output.form, options.output, report, pictures, hooks.table);
  if (!output.threshold) return 0;
  const auto sentence = exceeded(*output.threshold, report);
  if (sentence) say(*sentence);
  return sentence ? exit_threshold_exceeded : 0;
}

}  // namespace vtopo::detail
