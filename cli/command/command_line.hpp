#pragma once

#include <string>
#include <vector>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// Reads the words behind a verb into the targets of its options.
/// @throws UsageError
Invocation parse_options(const Verb& verb, std::vector<std::string> words);

/// Reads a command line and runs its verb, or prints help; returns the exit code. What is wrong
/// with the words is reported on standard error.
/// @throws whatever the verb throws.
int run_command(const Verb& command, std::vector<std::string> words);

}  // namespace vtopo::detail
