#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vtopo {

/// An option or a positional of a verb.
struct CommandOption {
  std::vector<std::string> names;  ///< with dashes, short ones first; of a positional its name
  std::string argument;            ///< `TEXT`, `NAME`, ...; empty: a flag
  std::string description;
  std::string group;         ///< heading in the help
  std::string default_text;  ///< empty: none
  bool required = false;
  bool repeated = false;
  std::vector<std::string> words;  ///< values that it starts with or takes; none: any text or file
  bool comma_list = false;         ///< whether a value is several of the words
};

/// A verb with its subcommands, or the whole command, as the parser has it.
struct CommandVerb {
  std::string path;  ///< `platform route`; empty: the command
  std::string description;
  std::string examples;  ///< examples and remarks of the help
  std::vector<CommandOption> options;
  std::vector<CommandOption> positionals;
  std::vector<CommandVerb> verbs;
};

/// All that completions and manual pages tell.
CommandVerb command_tree(const CLI::App& command);

/// The verb, its subcommands, theirs, ...: in the order of the help.
std::vector<const CommandVerb*> all_verbs(const CommandVerb& verb);

}  // namespace vtopo
