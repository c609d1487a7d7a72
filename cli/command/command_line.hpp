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

/// `vtopo 0.2.0`, and below what it was built from: a line per library, compiler and kind of build.
std::string version_text();

}  // namespace vtopo::detail
