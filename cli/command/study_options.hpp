#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command/verb.hpp"
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

/// Checks before long work.
/// @throws UsageError as `write_study` and for settings and metrics that there are not, InputError
/// if the file cannot be written.
void check_study_output(const StudyOptions& options);

/// Writes the study by `--format`, else by the extension of the output.
/// @throws UsageError for a form that a study does not have, before anything is written.
void write_study(const Study& study, const StudyOptions& options);

}  // namespace vtopo::detail
