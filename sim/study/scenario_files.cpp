#include "sim/study/scenario_files.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/placement/embedding_files.hpp"
#include "sim/placement/host_selection.hpp"
#include "sim/run/experiment.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Options whose value is a file, and words behind which a value of another one names a file.
constexpr std::array<std::string_view, 5> file_options{"traffic", "trace", "schedule", "platform",
                                                       "background"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> file_words{
    {{"topology", "graph:"},
     {"topology", "dist:"},
     {"topology", "model="},
     {"host-names", "file:"},
     {"host-names", "map:"},
     {"mapper", "path="}}};

constexpr std::array<std::string_view, 4> read_groups{guest_group, trace_group, network_group,
                                                      allocation_group};

/// Mappers that read an embedding.
std::vector<MapperSpec> file_mappers(const std::string& list) {
  std::vector<MapperSpec> mappers;
  try {
    mappers = parse_mappers(list);
  } catch (const UsageError&) {
    return {};  // the run says what is wrong
  }
  const std::string& reader = mapper_of(MapperRole::embedding_file).name;
  std::erase_if(mappers, [&](const MapperSpec& mapper) {
    return mapper.name != reader || !mapper.options.contains("path");
  });
  return mappers;
}

/// What files depend on.
ScenarioSettings read_part(const ScenarioSettings& settings) {
  ScenarioSettings part;
  for (const ScenarioOption& option : scenario_options()) {
    const bool counts = option.name == "mapper" || std::find(read_groups.begin(), read_groups.end(),
                                                             option.group) != read_groups.end();
    if (!counts || option.name == "seed" || !settings.has(option.name)) continue;
    std::vector<std::string> values = settings.values(option.name);
    if (option.name == "mapper") {
      std::string readers;
      for (const MapperSpec& mapper : file_mappers(join(values, ",")))
        readers += (readers.empty() ? "" : ",") + to_string(mapper);
      values = {readers};
      if (readers.empty()) continue;
    }
    part.set(option.name, std::move(values));
  }
  return part;
}

bool names_file(const ScenarioSettings& settings) {
  const auto hosts = settings.values("hosts");
  return std::any_of(hosts.begin(), hosts.end(),
                     [](const std::string& value) {
                       return with_plain_kind(value).starts_with("file:");
                     }) ||
         std::any_of(file_options.begin(), file_options.end(),
                     [&](std::string_view option) { return settings.has(option); }) ||
         std::any_of(file_words.begin(), file_words.end(), [&](const auto& named) {
           const auto values = settings.values(named.first);
           return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
             return value.find(named.second) != std::string::npos;
           });
         });
}

void read_files(const Scenario& scenario) {
  Observer nobody;
  const Experiment experiment = build_experiment(scenario, nobody);
  for (const MapperSpec& mapper : file_mappers(scenario.mappers)) {
    const std::string& path = mapper.options.at("path");
    const auto format = mapper.options.find("format");
    read_embedding(
        embedding_format_of(
            path, format == mapper.options.end() ? std::nullopt : std::optional(format->second)),
        path, experiment.guest.num_ranks(), *experiment.network, experiment.allocation);
  }
}

}  // namespace

void check_files(std::span<const ScenarioSettings> scenarios, const Scenario& base,
                 Observer& observer) {
  const auto work = observer.begin("reading files");
  std::set<std::string> known;
  for (const ScenarioSettings& settings : scenarios) {
    const ScenarioSettings part = read_part(settings);
    if (!names_file(part) || !known.insert(part.canonical_json()).second) continue;
    const Scenario scenario = scenario_from(part, base);
    try {
      read_files(scenario);
    } catch (const InputError&) {
      throw;
    } catch (const Error&) {
      continue;  // what does not go together is a result of the scenario
    }
  }
}

}  // namespace vtopo::detail
