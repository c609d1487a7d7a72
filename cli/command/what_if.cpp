#include "cli/command/what_if.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <system_error>

#include "cli/command/scenario_verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/sha256.hpp"
#include "sim/check/evidence/evidence.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/plugin/plugin.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/sensitivity.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Limit in the unit of the field.
double parse_limit(const RowField& field, std::string_view whole, std::string_view text) {
  if (field.kind == FieldKind::bytes) return parse_bytes(text).value;
  if (field.kind == FieldKind::seconds) return parse_seconds(text).value;
  if (const auto number = parse_number(text)) return *number;
  throw UsageError(
      fmt::format("limit \"{}\" in \"{}\": {} is a plain number", text, whole, field.name));
}

bool compares(double value, std::string_view comparison, double limit) {
  if (comparison == ">") return value > limit;
  if (comparison == ">=") return value >= limit;
  if (comparison == "<") return value < limit;
  return value <= limit;
}

std::string with_unit(const RowField& field, double value) {
  if (field.kind == FieldKind::bytes) return format_bytes({value});
  if (field.kind == FieldKind::seconds) return format_seconds({value});
  return fmt::format("{}", value);
}

/// Evidence above this size stands in a file of its own.
constexpr std::size_t max_evidence_in_report = std::size_t{1} << 20;

/// Name of the file of evidence beside a report: `result.evidence.json` of `result.json`.
std::string evidence_path(const std::string& report_path) {
  return std::filesystem::path(report_path).replace_extension(".evidence.json").string();
}

/// The member `evidence` of a report: the evidence itself, or `{"file": NAME, "sha256": ...}` after
/// writing that file.
/// @throws InputError as `write_output`.
std::string placed_evidence(const std::string& evidence, const std::string& report_path) {
  if (evidence.size() <= max_evidence_in_report) return evidence;
  const std::string path = evidence_path(report_path);
  write_output(path, evidence);
  const nlohmann::json reference{{"file", std::filesystem::path(path).filename().string()},
                                 {"sha256", sha256(evidence)}};
  return reference.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

constexpr int exit_threshold_exceeded = 5;

/// Whether a path is, or will be, a file: neither standard output nor a device or pipe.
bool is_plain_file(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return path != "-" && (!std::filesystem::exists(status) || is_regular_file(status));
}

/// Checks everything before work starts.
WhatIfOutput checked_output(const WhatIfOptions& options, const Mapping& mapping) {
  WhatIfOutput output;
  output.form = choose_report_form(options.format, options.output);
  check_columns(options.columns, output.form);
  output.has_evidence = output.form == ReportForm::json && is_plain_file(options.output);
  check_not_input({options.output, options.rank_times, options.trace_search,
                   output.has_evidence ? evidence_path(options.output) : ""},
                  input_files(options));
  check_report_output(output.form, options.output);
  check_side_file("--rank-times", options.rank_times, options.output);
  check_side_file("--trace-search", options.trace_search, options.output);
  if (!options.fail_if.empty()) {
    output.threshold = read_option("fail-if", [&] { return parse_threshold(options.fail_if); });
    if (output.threshold->note) say(*output.threshold->note);
  }
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  if (!options.rank_times.empty() && options.scenario.embedding.empty() &&
      mapping.mappers.size() != 1)
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

/// What a mapper found when, with the value of its embedding at the end.
std::vector<SearchPoint> whole_search(const MapperSpec& mapper, const Objective& objective,
                                      const Row& row, std::vector<SearchPoint> search) {
  const Objective goal = objective_of(find_mapper(mapper.name), objective);
  const double value = goal.time != TimeFirst::no && row.simulation
                           ? row.simulation->makespan.value
                           : cost_of(goal, row.metrics).front();
  if (search.empty() || value < search.back().value)
    search.push_back({row.mapping_time->value, search.empty() ? 0 : search.back().steps, value});
  return search;
}

/// What the mappers of some rows found when: of one, or of several with their names in front.
std::string search_csv(const RunPlan& plan, const PlacedReport& placed,
                       std::span<const std::size_t> rows, bool timing) {
  const bool named = rows.size() > 1;
  std::string text = named ? "mapper,seconds,steps,value\n" : "seconds,steps,value\n";
  for (const std::size_t row : rows)
    for (const auto& [seconds, steps, value] :
         whole_search(placed.mappers[row], plan.setup.objective, placed.report.rows[row],
                      placed.searches[row])) {
      if (named) text += csv_text(row_name(placed.report, row)) + ',';
      text += timing ? fmt::format("{}", seconds) : "";
      text += fmt::format(",{},{}\n", steps, value);
    }
  return text;
}

std::string evidence_of(const Experiment& experiment, const PlacedReport& placed) {
  EvidenceSource evidence;
  for (std::size_t row = 0; row < placed.embeddings.size(); ++row)
    evidence.add(experiment, placed.embeddings[row], placed.report.rows[row]);
  evidence.finish(experiment, placed.report);
  return evidence.text();
}

}  // namespace

std::vector<std::string> load_plugins(const std::vector<std::string>& plugins) {
  std::set<std::string> known;
  for (const MapperInfo& mapper : all_mappers()) known.insert(mapper.name);
  for (const std::string& plugin : plugins) add_plugin(plugin);
  std::vector<std::string> names;
  for (const MapperInfo& mapper : all_mappers())
    if (!known.contains(mapper.name)) names.push_back(mapper.name);
  return names;
}

void load_plugins(const std::vector<std::string>& plugins, const Invocation& invocation) {
  const std::vector<std::string> names = load_plugins(plugins);
  if (!names.empty() && !is_given(invocation, "mapper") && !is_given(invocation, "embedding"))
    say(
        fmt::format("--plugin brings the mappers {}, which --mapper NAME uses; vtopo compare has "
                    "them in its table",
                    join(names, ", ")));
}

bool is_given(const Invocation& invocation, std::string_view option) {
  return std::any_of(invocation.given.begin(), invocation.given.end(),
                     [&](const auto& given) { return given.first == option; });
}

void add_mapping_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help) {
  verb.group("Scenario from a file");
  verb.add("--scenario", &options.scenario_file,
           "JSON file with any of the options below but those of the output and --threads and "
           "limits of this machine, or a JSON report: what it was made of. Other options on the "
           "command line win");
  add_scenario_group(verb, options.scenario, guest_group);
  add_scenario_group(verb, options.scenario, trace_group);
  add_network_options(verb, options.scenario);
  add_scenario_group(verb, options.scenario, allocation_group);
  add_scenario_group(verb, options.scenario, mapping_group);
  verb.find_option("--mapper")->description(mapper_help);
  verb.add("--trace-search", &options.trace_search,
           "write seconds,steps,value to this CSV file: when the mapper had found which value of "
           "what it minimises; of several mappers with their names in front");
  verb.add("--rank-times", &options.rank_times,
           "write rank,finish_seconds to this CSV file, of programs also computing_seconds and "
           "waiting_seconds");
}

void add_report_options(Verb& verb, WhatIfOptions& options) {
  add_scenario_group(verb, options.scenario, output_group);
  verb.add("--format", &options.format, "table, csv, json, html or svg (default: by extension)");
  add_columns_option(verb, options.columns);
  verb.add("--timing", &options.timing,
           "on, or off: measured times are null and equal input gives equal bytes");
  verb.add("--fail-if", &options.fail_if,
           "exit with 5 if a row meets a condition such as max_congestion>2ms");
}

void add_columns_option(Verb& verb, std::string& columns) {
  verb.add("--columns", &columns,
           "columns of the table: names of CSV such as hop_bytes,max_dilation, or all (default: "
           "hop_bytes,max_congestion,makespan)");
}

void check_columns(const std::string& columns, ReportForm form) {
  if (columns.empty()) return;
  fields_of_columns(columns);
  if (form != ReportForm::table)
    throw UsageError("--columns is of the table: the other formats have all columns");
}

void add_what_if_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help) {
  add_mapping_options(verb, options, mapper_help);
  add_report_options(verb, options);
  verb.add("-o,--output", &options.output,
           "file (.txt, .csv, .json, .html, .svg), a folder with / at its end for all pictures, "
           "or - for stdout");
}

void add_embedding_options(Verb& verb, Scenario& scenario) {
  verb.group(std::string(mapping_group));
  add_embedding_file(
      verb, scenario,
      "file that says which rank sits where, instead of a mapper; what vtopo map writes",
      "--mapper");
}

Threshold parse_threshold(std::string_view text) {
  for (const std::string_view comparison : {">=", "<=", ">", "<"}) {
    const auto at = text.find(comparison);
    if (at == std::string_view::npos) continue;
    const std::string_view name = trim(text.substr(0, at));
    const RowField& field = numeric_field(name, text);
    return {std::string(text), &field, std::string(comparison),
            parse_limit(field, text, trim(text.substr(at + comparison.size()))),
            note_on_old_name(name)};
  }
  throw UsageError(fmt::format("\"{}\" is not a condition; write it as max_congestion>2ms", text));
}

std::optional<std::string> exceeded(const Threshold& threshold, const Report& report) {
  for (const Row& row : report.rows) {
    const auto value = number_of(threshold.field->value(row));
    if (value && compares(*value, threshold.comparison, threshold.limit))
      return fmt::format("{}: {} is {}, which meets the condition {}", row.mapper,
                         threshold.field->name, with_unit(*threshold.field, *value),
                         threshold.text);
  }
  return std::nullopt;
}

std::vector<std::string> input_files(const Scenario& scenario) {
  return {scenario.traffic,   scenario.trace,    scenario.platform,
          scenario.embedding, scenario.schedule, scenario.background};
}

std::vector<std::string> input_files(const WhatIfOptions& options) {
  std::vector<std::string> files = input_files(options.scenario);
  files.push_back(options.scenario_file);
  return files;
}

std::string simulation_needed_by(const std::optional<Threshold>& threshold, bool rank_times) {
  if (threshold && threshold->field->name == "makespan") return "a condition on makespan";
  return rank_times ? "--rank-times" : "";
}

WhatIf::WhatIf(const WhatIfOptions& options) : WhatIf(options, checked(options.scenario)) {}

WhatIf::WhatIf(const WhatIfOptions& options, CheckedScenario scenario)
    : options_(options),
      output_(checked_output(options, scenario.mapping)),
      plan_(plan_run(options.scenario, std::move(scenario), console(),
                     {simulation_needed_by(output_.threshold, !options.rank_times.empty()),
                      options.default_top_links, options.timing == "on"})) {}

/// What is said, and made ready, before rows are made.
void WhatIf::begin() {
  const auto reason = why_not_simulated(*experiment().network, plan_.solver);
  if (reason && !options_.scenario.simulate && output_.form != ReportForm::table)
    say(fmt::format("not simulated: {}; all figures are static", *reason));
  plan_.setup.traces_search = !options_.trace_search.empty();
  plan_.setup.made = [this](std::size_t row, PlacedRow made) {
    const std::lock_guard lock(mutex_);
    made_.emplace(row, std::move(made));
  };
  if (!has_pictures(output_.form)) return;
  timelines_.assign(plan_.mapping.mappers.size() + 1, RankTimeline(experiment().guest.num_ranks()));
  plan_.setup.spans = [this](std::size_t row, const RankSpan& span) { timelines_[row].add(span); };
}

int WhatIf::compare(const std::function<int(PlacedReport)>& finish) {
  return run(detail::compare, finish);
}

int WhatIf::keep_or_move(const std::function<int(PlacedReport)>& finish) {
  return run(detail::keep_or_move, finish);
}

int WhatIf::run(Search search, const std::function<int(PlacedReport)>& finish) {
  begin();
  std::optional<PlacedReport> placed;
  return console().search_and_finish(
      [&] { placed = search(plan_, console()); }, [&] { return finish(*std::move(placed)); },
      [&] { return finish_early(finish); },
      [&] { return search == detail::keep_or_move && (late_ = is_late()); });
}

/// Whether a run with a row has taken twice the time that is given to it: what takes so long does
/// not look at the clock.
bool WhatIf::is_late() {
  const auto& limit = plan_.setup.budget.time;
  const std::lock_guard lock(mutex_);
  return limit && !made_.empty() &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - plan_.start).count() >
             2 * (*limit)->value;
}

/// With the rows that there are.
int WhatIf::finish_early(const std::function<int(PlacedReport)>& finish) {
  constexpr int exit_interrupted = 128 + SIGINT;
  std::vector<PlacedRow> rows;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [number, row] : made_) {
      numbers_of_rows_.push_back(number);
      rows.push_back(row);
    }
  }
  if (rows.empty()) {
    say("interrupted before the cost of the first placement was known");
    return exit_interrupted;
  }
  say(fmt::format("{}: the cost of {} is known", late_ ? "out of time" : "interrupted",
                  counted(rows.size(), "placement")));
  return finish(report_so_far(plan_, std::move(rows)));
}

int WhatIf::write(const PlacedReport& placed, const TableWriter& table) {
  const Report& report = placed.report;
  if (report.sensitivity && (output_.form == ReportForm::csv || output_.form == ReportForm::svg)) {
    const std::string sentences = describe(*report.sensitivity);
    for (const auto line : split(sentences, '\n')) say(std::string(trim(line)));
  }
  if (!options_.rank_times.empty()) write_rank_times(options_.rank_times, report);
  if (!options_.trace_search.empty()) {
    std::vector<std::size_t> rows;  // without the order given, which nobody searched
    for (std::size_t row = report.verdict.kept_order ? 1 : 0; row < report.rows.size(); ++row)
      rows.push_back(row);
    write_output(options_.trace_search, search_csv(plan_, placed, rows, options_.timing == "on"));
  }
  if (output_.has_evidence) {
    write_output(
        options_.output,
        render_json(report, placed_evidence(evidence_of(experiment(), placed), options_.output)));
  } else {
    std::optional<PictureSource> pictures;
    if (has_pictures(output_.form)) {
      pictures.emplace(experiment().guest, experiment().network);
      for (std::size_t row = 0; row < report.rows.size(); ++row)
        pictures->add(experiment().guest, placed.embeddings[row],
                      metrics_of(experiment(), placed.embeddings[row], plan_.setup.budget.threads),
                      timelines_[numbers_of_rows_.empty() ? row : numbers_of_rows_[row]].take(
                          report.rows[row]));
    }
    write_report(output_.form, options_.output, report, pictures, options_.columns, table);
  }
  if (options_.output != "-" && options_.rank_times != "-" && options_.trace_search != "-" &&
      !options_.takes_stdout)
    write_output("-", render_answer(report, table_style("-", "")) +
                          fmt::format("written: {}\n", options_.output));
  if (!output_.threshold) return 0;
  const auto sentence = exceeded(*output_.threshold, report);
  if (sentence) say(*sentence);
  return sentence ? exit_threshold_exceeded : 0;
}

int run_what_if(const WhatIfOptions& options) {
  WhatIf run(options);
  return run.compare([&](const PlacedReport& placed) { return run.write(placed); });
}

}  // namespace vtopo::detail
