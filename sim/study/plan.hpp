#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/scenario_settings.hpp"

namespace vtopo::detail {

/// One scenario of a study.
struct StudyScenario {
  std::string key;  ///< `scenario_key` of the settings
  ScenarioSettings settings;
};

/// Settings of which each combination has one.
using StudyAxis = std::vector<ScenarioSettings>;

/// Scenarios of a plan in its order, each once.
struct StudyPlan {
  std::size_t combinations = 0;  ///< equal ones counted as often as they come
  std::vector<StudyScenario> scenarios;
};

/// 128-bit FNV-1a hash in 32 hexadecimal digits, most significant first (Fowler, Noll, Vo; RFC
/// 9923). The same on every machine; tells texts apart, but does not withstand someone who wants a
/// clash.
std::string fnv1a_128(std::string_view text);

/// Hash of `ScenarioSettings::canonical_json`: what a plan says, not what files that it names hold
/// and not what the command does where the plan says nothing.
std::string scenario_key(const ScenarioSettings& settings);

/// Every combination of the values of the axes, which override the base and the axes before them;
/// the last axis varies fastest.
std::vector<StudyScenario> combined(const ScenarioSettings& base,
                                    const std::vector<StudyAxis>& axes);

/// Axis of what a change costs: first without it, then with it, once for each number of the ranges
/// in its values.
/// @param with `KEY=VALUE` each, such as `fail-link=random:3:seed=1..20`; all are set together.
/// @param without keys of the base.
/// @throws UsageError
StudyAxis change_axis(const ScenarioSettings& base, const std::vector<std::string>& with,
                      const std::vector<std::string>& without);

/// Reads a plan: `{"base": {KEY: VALUE}, "axes": {KEY: [VALUE, ...]}}`. A value of an axis is what
/// a scenario has for the key, null to be without it, or an object that sets several keys;
/// `{"from": 1, "to": 50}` in place of the list is a range of whole numbers.
/// @throws InputError with file, line and column.
StudyPlan read_plan(const std::string& path);

}  // namespace vtopo::detail
