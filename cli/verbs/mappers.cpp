#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/output/output.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/scenario/scenario_options.hpp"

namespace vtopo::detail::verbs {

namespace {

using Mappers = const std::vector<MapperInfo>&;

struct MappersOptions : ListOutput {
  std::string name;  ///< empty: all of them
  std::vector<std::string> plugins;
};

/// `path`, or `start=greedy` with its default.
std::string with_default(const MapperOption& option) {
  return option.default_value.empty() ? option.name
                                      : fmt::format("{}={}", option.name, option.default_value);
}

std::string mappers_table(Mappers mappers, const TextStyle& style) {
  std::string text;
  const auto add = [&](std::string_view left, std::string_view right) {
    text += key_line(left, 16, right, style.width);
  };
  for (const MapperInfo& mapper : mappers) {
    add(mapper.name, mapper.summary);
    add("", fmt::format("source: {}", mapper.reference));
    if (!mapper.needs.empty()) add("", fmt::format("needs: {}", mapper.needs));
    for (const MapperOption& option : mapper.options)
      add("", fmt::format("option {}: {}", with_default(option), option.summary));
  }
  return text;
}

std::string mappers_csv(Mappers mappers) {
  std::string text = "name,summary,source,needs,options\n";
  for (const MapperInfo& mapper : mappers) {
    std::string options;
    for (const MapperOption& option : mapper.options)
      options += fmt::format("{}{}", options.empty() ? "" : ",", with_default(option));
    text += fmt::format("{},{},{},{},{}\n", csv_text(mapper.name), csv_text(mapper.summary),
                        csv_text(mapper.reference), csv_text(mapper.needs), csv_text(options));
  }
  return text;
}

std::string mappers_json(Mappers mappers) {
  using MapperJson = nlohmann::ordered_json;
  MapperJson document = {{"schema", "vtopo/mappers/v1"}, {"mappers", MapperJson::array()}};
  for (const MapperInfo& mapper : mappers) {
    MapperJson options = MapperJson::array();
    for (const auto& [name, summary, default_value] : mapper.options)
      options.push_back(
          {{"name", name},
           {"summary", summary},
           {"default", default_value.empty() ? MapperJson(nullptr) : MapperJson(default_value)}});
    document["mappers"].push_back(
        {{"name", mapper.name},
         {"summary", mapper.summary},
         {"source", mapper.reference},
         {"needs", mapper.needs.empty() ? MapperJson(nullptr) : MapperJson(mapper.needs)},
         {"options", options}});
  }
  return document.dump(2) + '\n';
}

int run_mappers(const MappersOptions& options) {
  load_plugins(options.plugins);
  const OutputFormat format = choose_output_format(options.format, options.output);
  const std::vector<MapperInfo> mappers =
      options.name.empty() ? all_mappers() : std::vector{find_mapper(options.name)};
  write_output(options.output,
               in_format(format, mappers_table, mappers_csv, mappers_json, mappers));
  return 0;
}

}  // namespace

Verb mappers() {
  auto options = std::make_shared<MappersOptions>();
  Verb verb{"mappers", "the mappers with their sources, their options and what they need"};
  verb.listed = {VerbHeading::others, 7};
  verb.examples =
      "Examples:\n"
      "  vtopo mappers\n"
      "  vtopo mappers greedy\n"
      "  vtopo mappers --format json";
  verb.add("NAME", &options->name, "of one mapper (default: all)");
  verb.add("--plugin", &options->plugins, scenario_option("plugin").help);
  add_list_output(verb, *options);
  verb.run = [options](const Invocation&) { return run_mappers(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
