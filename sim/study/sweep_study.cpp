#include "sim/study/sweep_study.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/output/colour.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report_output.hpp"
#include "sim/run/placed_json.hpp"
#include "sim/scenario/scenario_settings.hpp"
#include "sim/study/study_report.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using SweptJson = nlohmann::ordered_json;

/// What stands in a line where something else is expected.
[[noreturn]] void refuse(const std::string& where, std::string_view what, const SweptJson& value) {
  throw InputError(fmt::format(
      "{}: {} is {}", where, what,
      value.is_structured() ? std::string(value.type_name()) : value.dump().substr(0, 40)));
}

/// A field of a row: text, or a number that is not negative, or null for both.
FieldValue value_of(const SweptJson& row, const RowField& field, const std::string& where) {
  const auto found = row.find(std::string(field.name));
  if (found == row.end() || found->is_null()) return {};
  const SweptJson& value = *found;
  if (field.kind == FieldKind::text) {
    if (!value.is_string())
      refuse(where, fmt::format("\"{}\" is text, and here it", field.name), value);
    return value.get<std::string>();
  }
  if (!value.is_number() || value < 0)
    refuse(where, fmt::format("\"{}\" is null or a number from 0 on, and here it", field.name),
           value);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<double>();
}

/// The scenario of a line; of plugins only names are known, so that nothing is checked.
Scenario scenario_of(const PlacedDocument& line) {
  Scenario without_mappers;
  without_mappers.mappers.clear();
  return scenario_from(read_settings(line, *line.root.find("scenario"), false), without_mappers);
}

void add_rows(const SweptJson& rows, const std::vector<std::string>& settings,
              const std::string& where, Study& study) {
  const std::size_t mapper = study.setting("mapper");
  if (!rows.is_array()) refuse(where, "\"rows\" is a list, and here it", rows);
  for (const SweptJson& row : rows) {
    if (!row.is_object()) refuse(where, "a row is an object, and here it", row);
    StudyRow added{settings, {}, {}, 0};
    for (const RowField& field : row_fields()) added.values.push_back(value_of(row, field, where));
    const auto name = row.find("mapper");
    if (name == row.end() || !name->is_string())
      throw InputError(where + ": a row has no \"mapper\"");
    added.settings[mapper] = name->get<std::string>();
    study.rows.push_back(std::move(added));
  }
}

std::vector<std::string> without_commas(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists)
    for (const auto name : split(list, ',')) names.emplace_back(trim(name));
  return names;
}

}  // namespace

void add_study_view(Verb& verb, StudyOptions& options) {
  verb.add("--group-by", &options.group_by,
           "settings, such as network,bytes: the best row of each of their values is marked "
           "(default: all that differ but mapper and those of --over)");
  verb.add("--over", &options.over,
           "settings whose values are draws of one case, which has the median of their metrics "
           "(default: seed)");
  verb.add("--best", &options.best,
           "metric that is to be small, such as max_congestion (default: makespan where all rows "
           "have it, else max_congestion)");
}

StudyView study_view(const StudyOptions& options) {
  StudyView view;
  view.group_by = without_commas(options.group_by);
  if (!options.over.empty()) view.over = without_commas(options.over);
  view.best = options.best;
  return view;
}

Study study_of(std::span<const SweepLine> lines, const std::string& path) {
  Study study = make_study();
  for (const SweepLine& line : lines) {
    const PlacedDocument document = parse_placed_json(line.text, path);
    const std::string where = fmt::format("{}: line with key \"{}\"", path, line.key);
    if (document.root.find("scenario") == nullptr)
      throw InputError(where + ": there is no \"scenario\"");
    const std::vector<std::string> settings = settings_of(study, scenario_of(document));
    const SweptJson object = SweptJson::parse(line.text);
    if (line.failed && !object["error"].is_string())
      refuse(where, "\"error\" is text, and here it", object["error"]);
    if (line.failed)
      add_failure(study, settings, object["error"].get<std::string>(), line.exit_code);
    else
      add_rows(object["rows"], settings, where, study);
  }
  if (study.rows.empty())
    throw InputError(fmt::format("\"{}\" has no scenario: nothing to report", path));
  sort_rows(study);
  return study;
}

Study read_study(std::span<const std::string> paths) {
  std::vector<SweepLine> lines;
  std::set<std::string> known;
  for (const std::string& path : paths)
    for (SweepLine& line : read_sweep_lines(path))
      if (known.insert(line.key).second) lines.push_back(std::move(line));
  return study_of(lines, paths.front());
}

bool is_sweep_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream file(path);
  std::string start(40, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("{\"schema\":\"vtopo/sweep/v1\"") == 0;
}

bool names_study_report(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".csv" || extension == ".json" || extension == ".html";
}

void check_sweep_output(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension.empty() || extension == ".jsonl" || names_study_report(path)) return;
  throw UsageError(
      fmt::format("output file \"{}\" has the unknown extension \"{}\"; accepted: .jsonl for "
                  "lines, .csv, .json "
                  "and .html for the report on them",
                  path, extension));
}

void check_study_output(const StudyOptions& options) {
  const StudyView view = study_view(options);
  const Study any = make_study();
  for (const auto* names : {&view.group_by, &view.over})
    for (const std::string& name : *names) any.setting(name);
  if (!view.best.empty()) numeric_field(view.best, "--best");
  if (const auto note = note_on_old_name(view.best)) say(*note);
  choose_page_form(options.format, options.output);
  check_output(options.output);
}

void write_study(const Study& study, const StudyOptions& options) {
  const ReportForm form = choose_page_form(options.format, options.output);
  const StudyView view = study_view(options);
  if (form == ReportForm::csv) return write_output(options.output, render_study_csv(study));
  if (form == ReportForm::json) return write_output(options.output, render_study_json(study, view));
  if (form == ReportForm::html) return write_output(options.output, render_study_page(study, view));
  const bool colour = options.output == "-" && stdout_may_have_colour();
  write_output(options.output, render_study_table(study, view, colour));
}

}  // namespace vtopo::detail
