#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/sweep_plan.hpp"
#include "netmodels/process/child_process.hpp"

namespace vtopo::detail {

/// A line of a file of sweep results, without its line end.
struct SweepLine {
  std::string text;
  std::string key;
  bool failed = false;  ///< has `error` instead of `rows`
  int exit_code = 0;    ///< of a failure, as the command gives it
};

/// Whether a failure is none of the input, the usage or the fit, but of the program or of a limit.
bool is_internal(const SweepLine& line);

/// Line of a scenario that ran; its rows are those of the report.
/// @param report JSON of `vtopo compare`. @throws InputError if it is something else.
SweepLine sweep_result(const SweepScenario& scenario, std::string_view report);

/// Line of a scenario that failed.
SweepLine sweep_failure(const SweepScenario& scenario, int exit_code, std::string_view sentence);

/// Lines of a file of results.
/// @param torn if not null, a last line that a killed sweep did not finish is left out and its
/// bytes are counted there; otherwise it is an error.
/// @throws InputError that names file and line.
std::vector<SweepLine> read_sweep_lines(const std::string& path, std::size_t* torn = nullptr);

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
