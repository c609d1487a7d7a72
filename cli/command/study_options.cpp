#include "cli/command/study_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/command/what_if.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

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
           "metric that is to be small, such as max_congestion (default: that of --objective, or "
           "without one makespan where all rows have it, else max_congestion)");
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
                  "lines, .csv, .json and .html for the report on them",
                  path, extension));
}

StudyOutput study_output(const StudyOptions& options) {
  StudyView view{.group_by = without_commas(options.group_by), .best = options.best};
  if (!options.over.empty()) view.over = without_commas(options.over);
  const Study any = make_study();
  for (const auto* names : {&view.group_by, &view.over})
    for (const std::string& name : *names) any.setting(name);
  if (!view.best.empty()) numeric_field(view.best, "--best");
  if (const auto note = note_on_old_name(view.best)) say(*note);
  const ReportForm form = choose_page_form(options.format, options.output);
  check_columns(options.columns, form);
  check_output(options.output);
  return {std::move(view), form, options.columns, options.output};
}

void write_study(const Study& study, const StudyOutput& output) {
  const auto& [view, form, columns, path] = output;
  write_output(path, form == ReportForm::csv    ? render_study_csv(study)
                     : form == ReportForm::json ? render_study_json(study, view)
                     : form == ReportForm::html
                         ? render_study_page(study, view)
                         : render_study_table(study, view, table_style(path, columns)));
}

}  // namespace vtopo::detail
