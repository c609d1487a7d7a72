#pragma once

#include <string>
#include <vector>

#include "cli/command/verb.hpp"
#include "sim/study/scenario_settings.hpp"

namespace vtopo::detail {

/// Settings of a file: a scenario by itself, or the one that a JSON report or a line of a sweep
/// holds as its `scenario`.
/// @throws InputError with file, line and column.
ScenarioSettings read_scenario_file(const std::string& path);

/// Words behind a verb, preceded by what its `--scenario FILE` says and the other words do not.
/// @param verb takes such a file if it has the option.
/// @throws InputError as above, for keys that the verb has no option for, and for plugins and the
/// mapper `external` that only the file names: they would run a program.
std::vector<std::string> with_scenario_file(const Verb& verb, std::vector<std::string> words);

}  // namespace vtopo::detail
