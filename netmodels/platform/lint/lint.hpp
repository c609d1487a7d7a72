#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// How bad a finding is: an `error` makes SimGrid 3.32 or vtopo refuse the file, crash or compute
/// nonsense; a `warning` is legal and probably not what was meant.
enum class LintSeverity { warning, error };

/// `warning` or `error`.
std::string_view to_string(LintSeverity severity);

/// A trap that lint knows.
struct LintRule {
  std::string_view name;     ///< stable: scripts may rely on it
  LintSeverity severity;     ///< of all its findings
  std::string_view summary;  ///< one sentence
};

/// All rules by name.
std::span<const LintRule> lint_rules();

/// A trap that a file has.
struct LintFinding {
  FilePosition position;                        ///< line 0: the whole file
  LintSeverity severity = LintSeverity::error;  ///< that of its rule
  std::string_view rule;                        ///< name of one of `lint_rules()`
  std::string value;                            ///< text of the file, shortened if long
  std::string sentence;                         ///< what is wrong with it
  std::string instead;                          ///< what to write
};

/// What lint found in one file: errors, then warnings, each in the order of the file.
struct LintReport {
  std::string path;                   ///< as given
  std::vector<LintFinding> findings;  ///< at most 10,000
  std::int64_t left_out = 0;          ///< findings beyond the first 10,000

  /// Number of `findings` with this severity.
  std::int64_t count(LintSeverity severity) const;
};

/// Finds the traps of a SimGrid platform file (DTD 4.1). A file without errors loads in
/// SimGrid 3.32 and passes vtopo's own checks; what only a pair of hosts without route would show
/// is found too. Never throws for what a file holds: a missing file, a folder and binary garbage
/// are findings. Time and memory grow linearly with the size of the file, which is capped at 512
/// MiB.
/// @param strict also finds what is legal and often meant: bandwidths in bits.
LintReport lint_platform(const std::string& path, bool strict = false);

}  // namespace vtopo::detail
