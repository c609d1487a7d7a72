#pragma once

#include <string>

#include "cli/options/verb.hpp"
#include "netmodels/process/child_limits.hpp"

namespace vtopo {

/// Limits of the processes in which SimGrid runs, as typed; empty: the usual ones.
struct LimitOptions {
  std::string run_limit;
  std::string memory_limit;
};

/// Adds `--run-limit` and `--memory-limit`.
void add_limit_options(Verb& verb, LimitOptions& options, const std::string& run_help,
                       const std::string& memory_help);

/// Those of verbs that simulate nothing: of SimGrid while it answers for a platform file.
void add_platform_limit_options(Verb& verb, LimitOptions& options);

/// The limits; `inf` is none, what is not given is absent.
/// @throws UsageError for a time that is not > 0 and for less than one byte.
ChildLimits parse_limits(const LimitOptions& options);

}  // namespace vtopo
