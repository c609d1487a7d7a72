#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options/scenario_settings.hpp"

namespace vtopo {

/// Settings of a file: a scenario by itself, or the one that a JSON report or a line of a sweep
/// holds as its `scenario`.
/// @throws InputError with file, line and column.
ScenarioSettings read_scenario_file(const std::string& path, bool mappers_known = true);

/// Words of a command line; behind the verb, what its `--scenario FILE` says and the other words do
/// not.
/// @param command with its verbs; those that have an option `--scenario` take such files.
/// @throws InputError as above, for keys that the verb has no option for, and for plugins and the
/// mapper `external` that only the file names: they would run a program.
std::vector<std::string> with_scenario_file(const CLI::App& command,
                                            std::vector<std::string> words);

}  // namespace vtopo
