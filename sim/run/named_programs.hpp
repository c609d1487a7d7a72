#pragma once

#include <optional>
#include <string>

#include "sim/scenario/scenario_settings.hpp"

namespace vtopo::detail {

/// A setting whose value is a program that would run: a mapper that runs one, a plugin.
struct NamedProgram {
  std::string key;   ///< `plugin` or `mapper`
  std::string text;  ///< its value
};

/// The first of them; nothing where settings name no program. What a file says must not run by
/// itself, so whoever gets settings from one asks here.
std::optional<NamedProgram> program_named_in(const ScenarioSettings& settings);

}  // namespace vtopo::detail
