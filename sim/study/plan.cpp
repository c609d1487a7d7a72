#include "sim/study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/input_limits.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using Kind = PlacedJson::Kind;

__extension__ typedef unsigned __int128 Wide;

constexpr std::size_t max_scenarios = input_limit<std::size_t>(1'000'000, 1000);

constexpr Wide wide(std::uint64_t high, std::uint64_t low) {
  return (Wide{high} << 64) | low;
}

std::size_t num_combinations(std::span<const std::size_t> sizes, const std::string& path) {
  std::size_t count = 1;
  for (const std::size_t size : sizes) {
    if (size > max_scenarios / count)
      throw input_error({path},
                        fmt::format("the axes have more than {} combinations", max_scenarios));
    count *= size;
  }
  return count;
}

/// Reads the parts of one plan.
class PlanReader {
 public:
  explicit PlanReader(const PlacedDocument& document) : document_(document) {}

  ScenarioSettings base() const {
    const PlacedJson* object = document_.root.find("base");
    return object == nullptr ? ScenarioSettings()
                             : read_settings(document_, *object, mappers_known());
  }

  std::vector<StudyAxis> axes() const {
    check_keys(document_.root, {"$schema", "base", "axes"});
    const PlacedJson* object = document_.root.find("axes");
    if (object == nullptr)
      throw document_.error(document_.root,
                            "the plan has no \"axes\"; accepted is {\"base\": "
                            "{...}, \"axes\": {\"network\": [...], ...}}");
    check_kind(*object, Kind::object, "axes");
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < object->keys.size(); ++i)
      sizes.push_back(size(object->keys[i], object->items[i]));
    num_combinations(sizes, document_.file);  // before axes take time and memory
    std::vector<StudyAxis> result;
    for (std::size_t i = 0; i < object->keys.size(); ++i)
      result.push_back(axis(object->keys[i], object->items[i]));
    return result;
  }

 private:
  /// Plugins are loaded by the runs.
  bool mappers_known() const {
    const PlacedJson* base = document_.root.find("base");
    const PlacedJson* axes = document_.root.find("axes");
    return (base == nullptr || base->find("plugin") == nullptr) &&
           (axes == nullptr || axes->find("plugin") == nullptr);
  }

  void check_kind(const PlacedJson& value, Kind kind, std::string_view name) const {
    if (value.kind != kind)
      throw document_.error(value, fmt::format("\"{}\" is {}; accepted is {}", name,
                                               in_words(value.kind), in_words(kind)));
  }

  void check_keys(const PlacedJson& object, const std::vector<std::string>& names) const {
    for (const PlacedJson::Key& key : object.keys)
      if (std::find(names.begin(), names.end(), key.name) == names.end())
        throw document_.error(key, fmt::format("unknown key \"{}\"; accepted: {}{}", key.name,
                                               join(names, ", "), suggestion(key.name, names)));
  }

  /// Number of values of an axis, >= 1.
  std::size_t size(const PlacedJson::Key& key, const PlacedJson& values) const {
    if (values.kind == Kind::object) {
      const auto [first, last] = range(key, values);
      return static_cast<std::size_t>(last - first) + 1;
    }
    check_kind(values, Kind::array, key.name);
    if (values.items.empty())
      throw document_.error(values, fmt::format("the axis \"{}\" has no values", key.name));
    return values.items.size();
  }

  StudyAxis axis(const PlacedJson::Key& key, const PlacedJson& values) const {
    if (values.kind == Kind::object) return numbers(key, values);
    StudyAxis layers;
    for (const PlacedJson& value : values.items) layers.push_back(layer(key, value));
    return layers;
  }

  ScenarioSettings layer(const PlacedJson::Key& key, const PlacedJson& value) const {
    if (value.kind == Kind::object) return read_settings(document_, value, mappers_known());
    ScenarioSettings settings;
    read_setting(document_, key, value, mappers_known() || key.name != "mapper", settings);
    return settings;
  }

  /// First and last number.
  std::pair<std::int64_t, std::int64_t> range(const PlacedJson::Key& key,
                                              const PlacedJson& object) const {
    check_keys(object, {"from", "to"});
    if (find_scenario_key(key.name) == nullptr)
      throw document_.error(key, unknown_scenario_key(key.name));
    const std::int64_t first = bound(object, "from"), last = bound(object, "to");
    if (last < first || last - first >= static_cast<std::int64_t>(max_scenarios))
      throw document_.error(object, fmt::format("\"from\" {} \"to\" {}: accepted are 1 to {} "
                                                "numbers",
                                                first, last, max_scenarios));
    return {first, last};
  }

  StudyAxis numbers(const PlacedJson::Key& key, const PlacedJson& object) const {
    const auto [first, last] = range(key, object);
    StudyAxis layers;
    PlacedJson value = object;
    value.kind = Kind::number;
    for (std::int64_t number = first; number <= last; ++number) {
      value.text = std::to_string(number);
      layers.push_back(layer(key, value));
    }
    return layers;
  }

  std::int64_t bound(const PlacedJson& object, std::string_view name) const {
    const PlacedJson* value = object.find(name);
    if (value == nullptr)
      throw document_.error(object, fmt::format("the range has no \"{}\"", name));
    const auto number = parse_integer(value->text);
    if (value->kind != Kind::number || !number || *number < 0)
      throw document_.error(*value, fmt::format("\"{}\" is not a whole number >= 0", name));
    return *number;
  }

  const PlacedDocument& document_;
};

/// Combination of a number: its digits in the mixed radix of the axes, the last one least.
ScenarioSettings combination(ScenarioSettings settings, const std::vector<StudyAxis>& axes,
                             std::size_t number) {
  std::vector<const ScenarioSettings*> layers(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; number /= axes[a].size())
    layers[a] = &axes[a][number % axes[a].size()];
  for (const ScenarioSettings* layer : layers) settings.override_with(*layer);
  return settings;
}

/// Whole numbers of a range `1..20` in a text, and what stands around it.
struct TextRange {
  std::string before, after;
  std::int64_t first = 0, last = 0;
};

std::optional<TextRange> range_in(const std::string& text) {
  constexpr std::string_view digits = "0123456789";
  const auto dots = text.find("..");
  if (dots == std::string::npos || dots == 0) return std::nullopt;
  const auto last_other = text.find_last_not_of(digits, dots - 1);
  const std::size_t start = last_other == std::string::npos ? 0 : last_other + 1;
  const std::size_t end = std::min(text.find_first_not_of(digits, dots + 2), text.size());
  const auto first = parse_integer(text.substr(start, dots - start));
  const auto last = parse_integer(text.substr(dots + 2, end - dots - 2));
  if (!first || !last) return std::nullopt;
  return TextRange{text.substr(0, start), text.substr(end), *first, *last};
}

/// The values of `random:3:seed=1..20`, or the one.
std::vector<std::string> drawn_values(const std::string& text) {
  constexpr std::int64_t most = 10'000;
  const auto range = range_in(text);
  if (!range) return {text};
  if (range->last < range->first || range->last - range->first >= most)
    throw UsageError(fmt::format("range {}..{} in \"{}\"; accepted are 1 to {} numbers upwards",
                                 range->first, range->last, text, most));
  std::vector<std::string> values;
  for (std::int64_t number = range->first; number <= range->last; ++number)
    values.push_back(fmt::format("{}{}{}", range->before, number, range->after));
  return values;
}

const ScenarioOption& changed_option(std::string_view key) {
  if (const ScenarioOption* option = find_scenario_key(key)) return *option;
  throw UsageError(unknown_scenario_key(key));
}

/// Adds `KEY=VALUE` to each of the layers; a range in the value gives more of them.
void add_change(const std::string& text, StudyAxis& layers) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw UsageError(fmt::format(
        "--with \"{}\"; accepted is KEY=VALUE, such as fail-link=random:3:seed=1..20", text));
  const ScenarioOption& option = changed_option(text.substr(0, at));
  StudyAxis result;
  for (const ScenarioSettings& layer : layers)
    for (const std::string& value : drawn_values(text.substr(at + 1))) {
      ScenarioSettings changed = layer;
      std::vector<std::string> values = layer.values(option.name);
      values.push_back(value);
      if (option.kind != ScenarioOption::Kind::many) values = {value};
      changed.set(option.name, std::move(values));
      result.push_back(std::move(changed));
    }
  layers = std::move(result);
}

}  // namespace

std::string fnv1a_128(std::string_view text) {
  constexpr Wide prime = wide(0x0000000001000000, 0x000000000000013b);
  Wide hash = wide(0x6c62272e07bb0142, 0x62b821756295c58d);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64),
                     static_cast<std::uint64_t>(hash));
}

std::string scenario_key(const ScenarioSettings& settings) {
  return fnv1a_128(settings.canonical_json());
}

std::vector<StudyScenario> combined(const ScenarioSettings& base,
                                    const std::vector<StudyAxis>& axes) {
  std::size_t count = 1;
  for (const StudyAxis& axis : axes) count *= axis.size();
  std::vector<StudyScenario> scenarios;
  for (std::size_t i = 0; i < count; ++i) {
    ScenarioSettings settings = combination(base, axes, i);
    std::string key = scenario_key(settings);
    scenarios.push_back({std::move(key), std::move(settings)});
  }
  return scenarios;
}

StudyAxis change_axis(const ScenarioSettings& base, const std::vector<std::string>& with,
                      const std::vector<std::string>& without) {
  StudyAxis axis(1);
  for (const std::string& key : without) {
    changed_option(key);
    if (!base.has(key)) throw UsageError(fmt::format("--without {}: it is not given", key));
    axis.front().set(key, {});
  }
  StudyAxis changed(1);
  for (const std::string& change : with) add_change(change, changed);
  axis.insert(axis.end(), changed.begin(), changed.end());
  return axis;
}

StudyPlan read_plan(const std::string& path) {
  const PlacedDocument document = read_placed_json(path);
  if (document.root.kind != Kind::object)
    throw document.error(document.root, fmt::format("a plan is {}; accepted is an object",
                                                    in_words(document.root.kind)));
  const PlanReader reader(document);
  const std::vector<StudyAxis> axes = reader.axes();
  StudyPlan plan{0, combined(reader.base(), axes)};
  plan.combinations = plan.scenarios.size();
  std::set<std::string> known;
  std::erase_if(plan.scenarios,
                [&](const StudyScenario& scenario) { return !known.insert(scenario.key).second; });
  return plan;
}

}  // namespace vtopo::detail
