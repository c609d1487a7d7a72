#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/placed_json.hpp"
#include "sim/scenario/scenario_options.hpp"

namespace vtopo::detail {

/// What a JSON object says about a what-if: keys with their values as the command line spells them.
class ScenarioSettings {
 public:
  /// @param values one, or several for an option that is repeated; none: the key is not there, and
  /// takes it away from settings that these override.
  void set(std::string_view key, std::vector<std::string> values);

  /// Takes a key away, and those that it replaces: another who sets it wins.
  void give_way_to(std::string_view key);

  /// These settings with those of `layer` instead where it has any; a guest replaces the guest, an
  /// interconnect the interconnect.
  void override_with(const ScenarioSettings& layer);

  bool has(std::string_view key) const;

  /// Values of a key, none if it is not there.
  std::vector<std::string> values(std::string_view key) const;

  /// Options of the command: `--bytes=64KiB`.
  std::vector<std::string> arguments() const;

  /// JSON object without blanks, keys sorted, values as strings, repeated options as arrays.
  std::string canonical_json() const;

  friend bool operator==(const ScenarioSettings&, const ScenarioSettings&) = default;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// The scenario of settings.
/// @param base what it has where they say nothing.
/// @throws UsageError for a value that its option refuses, InputError for a file that one reads.
Scenario scenario_from(const ScenarioSettings& settings, Scenario base = {});

/// Sets one key.
/// @param check_value whether the values are checked, too: names of mappers cannot before plugins
/// are loaded.
/// @throws InputError with the place of the key or of the value, and what is accepted.
void read_setting(const PlacedDocument& document, const PlacedJson::Key& key,
                  const PlacedJson& value, bool check_value, ScenarioSettings& settings);

/// Settings of a JSON object.
/// @param mappers_known whether unknown mappers are errors already, if the object has no plugins.
/// @throws InputError as above.
ScenarioSettings read_settings(const PlacedDocument& document, const PlacedJson& object,
                               bool mappers_known = true);

/// A setting whose value is a program that would run: a mapper that runs one, a plugin.
struct NamedProgram {
  std::string key;   ///< `plugin` or `mapper`
  std::string text;  ///< its value
};

/// The first of them; nothing where settings name no program. What a file says must not run by
/// itself, so whoever gets settings from one asks here.
std::optional<NamedProgram> program_named_in(const ScenarioSettings& settings);

/// JSON schema of scenario files, two spaces of indentation, final newline.
std::string scenario_schema();

}  // namespace vtopo::detail
