#pragma once

#include <string>

#include "cli/command/verb.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Adds `--run-limit` and `--memory-limit`.
void add_limit_options(Verb& verb, LimitOptions& options, const std::string& run_help,
                       const std::string& memory_help);

/// Those of verbs that simulate nothing: of SimGrid while it answers for a platform file.
void add_platform_limit_options(Verb& verb, LimitOptions& options);

}  // namespace vtopo::detail
