#pragma once

#include <span>
#include <string>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// What may stand for the last of the words, of which it is the start: a line each, some with a tab
/// and a description behind. Nothing where any text or a file may stand.
/// @param words behind the name of the command, up to the cursor.
std::string completion_lines(const Verb& command, std::span<const std::string> words);

/// Script by which a shell asks the command for such lines.
/// @throws UsageError for shells other than bash, fish and zsh.
std::string completion_script(const std::string& shell);

}  // namespace vtopo::detail
