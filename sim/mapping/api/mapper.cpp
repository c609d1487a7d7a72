#include "sim/mapping/api/mapper.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <forward_list>
#include <mutex>
#include <set>
#include <utility>

#include "sim/mapping/api/tables.hpp"
#include "sim/placement/embedding_check.hpp"
#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view label_option = "label";

std::vector<std::string> mapper_names() {
  std::vector<std::string> names;
  for (const MapperInfo& info : all_mappers()) names.push_back(info.name);
  return names;
}

const MapperOption* find_option(const MapperInfo& info, std::string_view name) {
  const auto found = std::find_if(info.options.begin(), info.options.end(),
                                  [&](const MapperOption& option) { return option.name == name; });
  return found == info.options.end() ? nullptr : &*found;
}

void check_options(const MapperSpec& spec) {
  const MapperInfo& info = find_mapper(spec.name);
  for (const auto& [name, value] : spec.options) {
    if (info.options.empty())
      throw UsageError(
          fmt::format("option \"{}\" of mapper {}: the mapper has no options", name, info.name));
    entry_named(fmt::format("mapper {}: unknown option", info.name), name, info.options);
  }
}

void set_label(MapperSpec& spec, std::string_view label) {
  if (label.empty() || !spec.label.empty())
    throw UsageError(fmt::format("label of mapper {} is {}: accepted is one label=NAME", spec.name,
                                 label.empty() ? "empty" : "given twice"));
  spec.label = label;
}

void add_option(MapperSpec& spec, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(fmt::format(
        "option \"{}\" of mapper {} has no value: accepted is option=value", text, spec.name));
  const std::string name(text.substr(0, equals));
  if (name == label_option) {
    set_label(spec, text.substr(equals + 1));
    return;
  }
  if (!spec.options.emplace(name, text.substr(equals + 1)).second)
    throw UsageError(fmt::format("option \"{}\" of mapper {} is given twice", name, spec.name));
  check_options(spec);
}

/// Whether a word goes on with the options of the mapper before it: `=` comes before any `:`.
bool is_option(std::string_view word) {
  const std::size_t position = word.find_first_of(":=");
  return position != std::string_view::npos && word[position] == '=';
}

MapperSpec parse_mapper(std::string_view word) {
  const std::size_t colon = word.find(':');
  MapperSpec spec{find_mapper(word.substr(0, colon)).name, {}};
  if (colon != std::string_view::npos) add_option(spec, word.substr(colon + 1));
  return spec;
}

}  // namespace

const MapperInfo& find_mapper(std::string_view name) {
  for (const MapperInfo& info : all_mappers())
    if (info.name == name) return info;
  const std::vector<std::string> names = mapper_names();
  throw UsageError(
      fmt::format("mapper \"{}\" is unknown (see vtopo mappers){}", name, suggestion(name, names)));
}

const MapperInfo& mapper_of(MapperRole role) {
  const auto& mappers = all_mappers();  // one table: another thread may add to the next
  const auto found = std::find_if(mappers.begin(), mappers.end(),
                                  [&](const MapperInfo& info) { return info.role == role; });
  assert(found != mappers.end());
  return *found;
}

bool is_refiner(const MapperInfo& info) {
  return find_option(info, "start") != nullptr;
}

std::vector<MapperSpec> parse_mappers(std::string_view list) {
  std::vector<MapperSpec> specs;
  for (const std::string_view word : split(list, ',')) {
    if (word.empty())
      throw UsageError(
          fmt::format("empty mapper name in \"{}\": accepted are NAME[:option=value] and all, "
                      "separated by commas",
                      list));
    if (word == "all") {
      for (const MapperInfo& info : all_mappers()) specs.push_back({info.name, {}, true});
    } else if (is_option(word) && !specs.empty() && !specs.back().if_it_applies) {
      add_option(specs.back(), word);
    } else {
      specs.push_back(parse_mapper(word));
    }
  }
  return specs;
}

std::string to_string(const MapperSpec& spec) {
  std::string text = spec.name;
  char separator = ':';
  for (const auto& [name, value] : spec.options) {
    text += fmt::format("{}{}={}", separator, name, value);
    separator = ',';
  }
  if (!spec.label.empty()) text += fmt::format("{}{}={}", separator, label_option, spec.label);
  return text;
}

std::string row_label(const MapperSpec& spec) {
  return spec.label.empty() ? to_string(spec) : spec.label;
}

std::string option_value(const MapperInfo& info, const MappingProblem& problem,
                         std::string_view name) {
  const auto given = problem.options.find(std::string(name));
  if (given != problem.options.end()) return given->second;
  return entry_named("option", name, info.options).default_value;
}

std::optional<std::string> unsupported_reason(const MapperSpec& spec,
                                              const MappingProblem& problem) {
  const MapperInfo& info = find_mapper(spec.name);
  return info.unsupported_reason ? info.unsupported_reason(problem) : std::nullopt;
}

Objective objective_of(const MapperInfo& info, const Objective& objective) {
  if (info.runs_mappers) return objective;
  const bool follows_routes = info.role == MapperRole::congestion_refiner;
  return objective == default_objective() && !follows_routes ? Objective{} : static_part(objective);
}

Embedding run_mapper(const MapperSpec& spec, MappingProblem problem, const SearchControl& control) {
  check_options(spec);
  check_fit(problem.guest.num_ranks(), problem.allocation);
  if (control.start != nullptr) check_embedding(problem.guest, problem.network, *control.start);
  problem.options = spec.options;
  const MapperInfo& info = find_mapper(spec.name);
  if (is_refiner(info)) problem.objective = objective_of(info, problem.objective);
  if (const auto reason = unsupported_reason(spec, problem))
    throw UsageError(fmt::format("mapper {} {}", spec.name, *reason));
  return info.map(problem, control);
}

namespace {

bool has_lower_name(const MapperInfo& a, const MapperInfo& b) {
  return a.name < b.name;
}

std::vector<MapperInfo> linked_mappers() {
  std::vector<MapperInfo> mappers = builtin_mappers();
  for (const MapperLibrary* library : {&vtopo_mapper_adapters, &vtopo_more_mappers})
    if (library != nullptr)
      for (MapperInfo& info : library->mappers()) mappers.push_back(std::move(info));
  std::sort(mappers.begin(), mappers.end(), has_lower_name);
  return mappers;
}

/// The one table of the program. Who adds mappers makes a new one and leaves the others as they
/// are: another thread may be running a mapper of theirs.
struct Tables {
  std::mutex adding;
  std::forward_list<std::vector<MapperInfo>> all{linked_mappers()};
  std::atomic<const std::vector<MapperInfo>*> current{&all.front()};
};

Tables& tables() {
  static Tables tables;
  return tables;
}

}  // namespace

const std::vector<MapperInfo>& all_mappers() {
  return *tables().current;
}

void detail::register_mappers(std::vector<MapperInfo> mappers, std::string_view origin) {
  const std::lock_guard lock(tables().adding);
  std::set<std::string_view> names;
  for (const MapperInfo& info : all_mappers()) names.insert(info.name);
  for (const MapperInfo& info : mappers)
    if (!names.insert(info.name).second)
      throw UsageError(fmt::format("mapper \"{}\" of {}: there is a mapper of that name already",
                                   info.name, origin));
  mappers.insert(mappers.end(), all_mappers().begin(), all_mappers().end());
  std::sort(mappers.begin(), mappers.end(), has_lower_name);
  tables().all.push_front(std::move(mappers));
  tables().current = &tables().all.front();
}

}  // namespace vtopo
