#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// A key of the JSON object that names a what-if: an option of the command without its dashes.
struct ScenarioKey {
  enum class Kind {
    text,  ///< one value
    list,  ///< one value with commas; an array is joined by them
    many,  ///< an option that may be given several times: an array, or one value
    flag,  ///< true, or as if it were not there
  };

  std::string_view name;
  Kind kind;
  /// Throws UsageError for a value that no scenario can have; null where only the run can tell.
  void (*check)(const std::string& value) = nullptr;
  /// Keys that make way when this one is set by someone who overrides a scenario.
  std::vector<std::string_view> replaces = {};
};

/// All keys, sorted by name.
std::span<const ScenarioKey> scenario_keys();

/// Null for a name that is no key.
const ScenarioKey* find_scenario_key(std::string_view name);

/// `unknown key "toplogy"; did you mean "topology"?`
std::string unknown_scenario_key(std::string_view name);

}  // namespace vtopo
