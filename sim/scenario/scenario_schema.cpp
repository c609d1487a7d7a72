#include "sim/scenario/scenario_schema.hpp"

#include <nlohmann/json.hpp>

#include "sim/scenario/scenario_options.hpp"

namespace vtopo::detail {

namespace {

using SchemaJson = nlohmann::ordered_json;
using Kind = ScenarioOption::Kind;

std::string type_of(const ScenarioOption& option) {
  if (option.kind == Kind::flag) return "#/$defs/flag";
  return option.kind == Kind::text ? "#/$defs/text" : "#/$defs/list";
}

std::string description_of(const ScenarioOption& option) {
  std::string text = option.help;
  const auto values = option.texts(Scenario());
  if (option.kind != Kind::flag && !values.empty()) text += " (default " + values.front() + ")";
  return option.kind == Kind::list ? text + ". An array is joined by commas." : text;
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

}  // namespace

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

}  // namespace vtopo::detail
