#pragma once

#include <string>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// What the command is, examples, and its most used verbs.
std::string front_page(const Verb& command);

/// Every verb with its subcommands, a line each.
std::string list_of_verbs(const Verb& command);

/// Usage, examples and options of a verb.
/// @param all also the options that are not `Verb::common`, and every option's whole text.
std::string help_of(const Verb& verb, bool all);

}  // namespace vtopo::detail
