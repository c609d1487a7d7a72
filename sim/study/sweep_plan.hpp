#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/scenario_settings.hpp"

namespace vtopo::detail {

/// One scenario of a sweep.
struct SweepScenario {
  std::string key;  ///< `sweep_key` of the settings
  ScenarioSettings settings;
};

/// Scenarios of a plan in its order, each once: the last axis varies fastest.
struct SweepPlan {
  std::size_t combinations = 0;  ///< equal ones counted as often as they come
  std::vector<SweepScenario> scenarios;
};

/// 128-bit FNV-1a of `ScenarioSettings::canonical_json`: what the plan says, not what files that it
/// names hold and not what the command does where the plan says nothing.
std::string sweep_key(const ScenarioSettings& settings);

/// Reads a plan: `{"base": {KEY: VALUE}, "axes": {KEY: [VALUE, ...]}}`. A value of an axis is what
/// a scenario has for the key, null to be without it, or an object that sets several keys;
/// `{"from": 1, "to": 50}` in place of the list is a range of whole numbers.
/// @throws InputError with file, line and column.
SweepPlan read_sweep_plan(const std::string& path);

}  // namespace vtopo::detail
