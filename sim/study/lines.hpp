#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/process/memory_file.hpp"
#include "sim/study/plan.hpp"
#include "sim/study/study.hpp"

namespace vtopo::detail {

/// What became of a scenario, as a line of a file of results, without its line end.
struct StudyLine {
  std::string text;
  std::string key;
  bool failed = false;  ///< has `error` instead of `rows`
  int exit_code = 0;    ///< of a failure, as the command gives it
};

/// Whether a failure is none of the input, the usage or the fit, but of the program or of a limit.
bool is_internal(const StudyLine& line);

/// Line of a scenario that ran; its rows are those of the report.
/// @param report JSON of `vtopo compare`. @throws InputError if it is something else.
StudyLine line_of_report(const StudyScenario& scenario, std::string_view report);

/// Line of a scenario that failed.
StudyLine line_of_failure(const StudyScenario& scenario, int exit_code, std::string_view sentence);

/// Lines of a file of results.
/// @param torn if not null, a last line that a killed sweep did not finish is left out and its
/// bytes are counted there; otherwise it is an error.
/// @throws InputError that names file and line.
std::vector<StudyLine> read_study_lines(const std::string& path, std::size_t* torn = nullptr);

/// Text of all lines of files of results: each key once, sorted by key. A result stands for its
/// scenario where another file has a failure of it.
/// @throws InputError for two different results of one scenario, with their places, and as
/// `read_study_lines`.
std::string merged_lines(std::span<const std::string> paths);

/// Adds the rows of a line, or its failure, to a study.
/// @param settings of its scenario. @param where what errors call the line.
/// @throws InputError for JSON that no run writes.
void add_line(Study& study, const std::vector<std::string>& settings, const StudyLine& line,
              const std::string& where);

/// Study of files of results, sorted by its settings; of lines of one scenario in several files the
/// first counts.
/// @throws InputError as `read_study_lines`, and if there are none.
Study read_study(std::span<const std::string> paths);

/// Whether a file has lines of results.
bool is_file_of_lines(const std::string& path);

/// A file to which each line is added by one locked write, so that a kill leaves at most one torn
/// line, and several processes may write.
class AppendedFile {
 public:
  /// @param may_exist otherwise an existing file is an error.
  /// @throws UsageError, InputError.
  AppendedFile(std::string path, bool may_exist);

  /// Takes away what follows the last whole line.
  void cut(std::size_t bytes) const;

  bool is_empty() const;

  /// Adds a line and its line end. @throws InputError; the file has no part of the line then.
  void append(std::string_view line) const;

 private:
  std::string path_;
  OwnedDescriptor descriptor_;
};

}  // namespace vtopo::detail
