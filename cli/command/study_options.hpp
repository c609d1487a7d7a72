#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/report_output.hpp"
#include "sim/study/study.hpp"

namespace vtopo::detail {

/// How a study is written, as options.
struct StudyOptions {
  std::vector<std::string> group_by, over;  ///< settings, with commas or several times
  std::string best;
  std::string columns;  ///< of the table; empty: the usual ones
  std::optional<std::string> format;
  std::string output = "-";
};

/// `--group-by`, `--over` and `--best`.
void add_study_view(Verb& verb, StudyOptions& options);

/// Whether an output has the extension of a report, not of lines: `.csv`, `.json`, `.html`.
bool names_study_report(const std::string& path);

/// Refuses an output of a sweep whose extension is neither.
/// @throws UsageError
void check_sweep_output(const std::string& path);

/// What the options say.
struct StudyOutput {
  StudyView view;
  ReportForm form = ReportForm::table;
  std::string columns;
  std::string path;
};

/// Reads and checks the options before long work: `--format` counts, else the extension.
/// @throws UsageError for a form that a study does not have, and for settings and metrics that
/// there are not, InputError if the file cannot be written.
StudyOutput study_output(const StudyOptions& options);

void write_study(const Study& study, const StudyOutput& output);

}  // namespace vtopo::detail
