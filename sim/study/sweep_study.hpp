#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command/verb.hpp"
#include "sim/study/sweep_file.hpp"
#include "sim/study/study_groups.hpp"

namespace vtopo::detail {

/// How a study is written, as options.
struct StudyOptions {
  std::vector<std::string> group_by, over;  ///< settings, with commas or several times
  std::string best;
  std::optional<std::string> format;
  std::string output = "-";
};

/// `--group-by`, `--over` and `--best`.
void add_study_view(Verb& verb, StudyOptions& options);

/// The view that options ask for.
StudyView study_view(const StudyOptions& options);

/// Study of lines of sweeps, sorted by its settings.
/// @param path what errors call them.
/// @throws InputError if there are none.
Study study_of(std::span<const SweepLine> lines, const std::string& path);

/// The same of files; of lines of one scenario in several files the first counts.
Study read_study(std::span<const std::string> paths);

/// Whether a file has the lines of a sweep.
bool is_sweep_file(const std::string& path);

/// Whether an output has the extension of a report, not of lines: `.csv`, `.json`, `.html`.
bool names_study_report(const std::string& path);

/// Refuses an output of a sweep whose extension is neither.
/// @throws UsageError
void check_sweep_output(const std::string& path);

/// Writes the study by `--format`, else by the extension of the output.
/// @throws UsageError for a form that a study does not have, before anything is written.
void write_study(const Study& study, const StudyOptions& options);

/// Checks before long work.
/// @throws UsageError as `write_study` and for settings and metrics that there are not, InputError
/// if the file cannot be written.
void check_study_output(const StudyOptions& options);

}  // namespace vtopo::detail
