#pragma once

#include <string>

#include "cli/options/command_tree.hpp"

namespace vtopo {

/// Scripts by which shells complete verbs, options and values; what takes no words takes files.
std::string bash_completion(const CommandVerb& command);
std::string zsh_completion(const CommandVerb& command);
std::string fish_completion(const CommandVerb& command);

/// `text` as one word of a shell: in single quotes, those inside as `quote`.
std::string single_quoted(const std::string& text, std::string_view quote = "'\\''");

}  // namespace vtopo
