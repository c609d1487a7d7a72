#include "sim/study/scenario_settings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using JsonKind = PlacedJson::Kind;
using OptionKind = ScenarioOption::Kind;

bool is_scalar(const PlacedJson& value) {
  return value.kind == JsonKind::string || value.kind == JsonKind::number;
}

std::string scalar(const PlacedDocument& document, const ScenarioOption& key,
                   const PlacedJson& value, bool check_value) {
  const bool may_be_array = key.kind == OptionKind::list || key.kind == OptionKind::many;
  if (!is_scalar(value))
    throw document.error(value,
                         fmt::format("\"{}\" is {}; accepted is a string or a number{}", key.name,
                                     in_words(value.kind), may_be_array ? ", or an array" : ""));
  if (value.text.empty() || value.text.find('\0') != std::string::npos)
    throw document.error(
        value, fmt::format("\"{}\" is {}", key.name, value.text.empty() ? "empty" : "no text"));
  if (!check_value) return value.text;
  try {
    Scenario scratch;
    key.set(scratch, value.text);
    if (key.check != nullptr) key.check(value.text);
  } catch (const UsageError& error) {
    throw document.error(value, fmt::format("\"{}\": {}", key.name, error.what()));
  }
  return value.text;
}

/// Reports write "true", people true.
bool flag(const PlacedDocument& document, const ScenarioOption& key, const PlacedJson& value) {
  if (value.text == "true") return true;
  if (value.text == "false") return false;
  throw document.error(
      value, fmt::format("\"{}\" is {}; accepted: true, false", key.name, in_words(value.kind)));
}

const ScenarioOption& known_key(const PlacedDocument& document, const PlacedJson::Key& key) {
  if (const ScenarioOption* known = find_scenario_key(key.name)) return *known;
  throw document.error(key, unknown_scenario_key(key.name));
}

using SchemaJson = nlohmann::ordered_json;

std::string type_of(const ScenarioOption& option) {
  if (option.kind == OptionKind::flag) return "#/$defs/flag";
  return option.kind == OptionKind::text ? "#/$defs/text" : "#/$defs/list";
}

std::string description_of(const ScenarioOption& option) {
  std::string text = option.help;
  const auto values = option.texts(Scenario());
  if (option.kind != OptionKind::flag && !values.empty())
    text += " (default " + values.front() + ")";
  return option.kind == OptionKind::list ? text + ". An array is joined by commas." : text;
}

SchemaJson definitions() {
  const SchemaJson text{{"type", {"string", "number", "null"}}, {"minLength", 1}};
  const SchemaJson item{{"type", {"string", "number"}}, {"minLength", 1}};
  return {
      {"text", text},
      {"list",
       {{"anyOf",
         {SchemaJson{{"$ref", "#/$defs/text"}}, SchemaJson{{"type", "array"}, {"items", item}}}}}},
      {"flag", {{"enum", {true, false, "true", "false", nullptr}}}}};
}

bool runs_program(std::string_view word) {
  const auto& mappers = all_mappers();
  return std::any_of(mappers.begin(), mappers.end(), [&](const MapperInfo& info) {
    return info.runs_program && info.name == word;
  });
}

/// Whether a word of the list, which may be the value of an option, is a mapper that runs a
/// program.
bool names_program(std::string_view list) {
  constexpr std::string_view separators = ",:=+;/ ";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    if (runs_program(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

void ScenarioSettings::set(std::string_view key, std::vector<std::string> values) {
  values_[std::string(key)] = std::move(values);
}

void ScenarioSettings::give_way_to(std::string_view key) {
  const auto erase = [&](std::string_view name) {
    if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
  };
  erase(key);
  if (const ScenarioOption* known = find_scenario_key(key))
    for (const auto replaced : known->replaces) erase(replaced);
}

void ScenarioSettings::override_with(const ScenarioSettings& layer) {
  for (const auto& [key, values] : layer.values_)
    if (values.empty())
      values_.erase(key);
    else
      give_way_to(key);
  for (const auto& [key, values] : layer.values_)
    if (!values.empty()) values_[key] = values;
}

bool ScenarioSettings::has(std::string_view key) const {
  return !values(key).empty();
}

std::vector<std::string> ScenarioSettings::values(std::string_view key) const {
  const auto at = values_.find(key);
  return at == values_.end() ? std::vector<std::string>() : at->second;
}

std::vector<std::string> ScenarioSettings::arguments() const {
  std::vector<std::string> result;
  for (const auto& [key, values] : values_) {
    const ScenarioOption* known = find_scenario_key(key);
    const bool is_flag = known != nullptr && known->kind == OptionKind::flag;
    for (const std::string& value : values)
      result.push_back(is_flag ? "--" + key : fmt::format("--{}={}", key, value));
  }
  return result;
}

std::string ScenarioSettings::canonical_json() const {
  nlohmann::json object = nlohmann::json::object();  // sorted by key
  for (const auto& [key, values] : values_) {
    if (values.empty()) continue;
    if (values.size() == 1)
      object[key] = values.front();
    else
      object[key] = values;
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Scenario scenario_from(const ScenarioSettings& settings, Scenario base) {
  for (const ScenarioOption& option : scenario_options())
    for (const std::string& value : settings.values(option.name)) option.set(base, value);
  return base;
}

void read_setting(const PlacedDocument& document, const PlacedJson::Key& key,
                  const PlacedJson& value, bool check_value, ScenarioSettings& settings) {
  const ScenarioOption& known = known_key(document, key);
  if (value.kind == JsonKind::null) return settings.set(key.name, {});
  if (known.kind == OptionKind::flag) {
    std::vector<std::string> on;
    if (flag(document, known, value)) on.push_back("true");
    if (key.name == "simulate" && on.empty()) return settings.set("no-simulate", {"true"});
    return settings.set(key.name, std::move(on));
  }
  if (value.kind != JsonKind::array || known.kind == OptionKind::text)
    return settings.set(key.name, {scalar(document, known, value, check_value)});
  std::vector<std::string> values;
  for (const PlacedJson& item : value.items)
    values.push_back(scalar(document, known, item, check_value));
  if (known.kind == OptionKind::list && values.empty())
    throw document.error(value, fmt::format("\"{}\" is an empty array", key.name));
  if (known.kind == OptionKind::list) values = {join(values, ",")};
  settings.set(key.name, std::move(values));
}

ScenarioSettings read_settings(const PlacedDocument& document, const PlacedJson& object,
                               bool mappers_known) {
  if (object.kind != JsonKind::object)
    throw document.error(object, fmt::format("a scenario is {}; accepted is an object with "
                                             "options as keys",
                                             in_words(object.kind)));
  const bool check_mappers = mappers_known && object.find("plugin") == nullptr;
  ScenarioSettings settings;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const PlacedJson::Key& key = object.keys[i];
    if (key.name == "$schema") continue;
    read_setting(document, key, object.items[i], check_mappers || key.name != "mapper", settings);
  }
  return settings;
}

std::string scenario_schema() {
  SchemaJson schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "What-if of vtopo: options of the command as keys (vtopo compare --scenario FILE)"},
      {"type", "object"},
      {"additionalProperties", false},
      {"properties", {{"$schema", {{"type", "string"}}}}}};
  SchemaJson excluded = SchemaJson::array();
  for (const ScenarioOption& option : scenario_options()) {
    if (option.of_machine) continue;
    schema["properties"][std::string(option.name)] = {{"description", description_of(option)},
                                                      {"$ref", type_of(option)}};
    for (const auto other : option.excludes)
      excluded.push_back({{"required", {std::string(option.name), std::string(other)}}});
  }
  schema["not"] = {{"anyOf", excluded}};
  schema["$defs"] = definitions();
  return schema.dump(2) + '\n';
}

std::optional<NamedProgram> program_named_in(const ScenarioSettings& settings) {
  for (const std::string& plugin : settings.values("plugin")) return NamedProgram{"plugin", plugin};
  for (const std::string& list : settings.values("mapper"))
    if (names_program(list)) return NamedProgram{"mapper", list};
  return std::nullopt;
}

}  // namespace vtopo::detail
