#include "sim/study/sweep_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "sim/study/fnv_hash.hpp"
#include "topology/base/error.hpp"
#include "topology/base/input_limits.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using Kind = PlacedJson::Kind;
using Axis = std::vector<ScenarioSettings>;

constexpr std::size_t max_scenarios = input_limit<std::size_t>(1'000'000, 1000);

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

  std::vector<Axis> axes() const {
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
    std::vector<Axis> result;
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

  Axis axis(const PlacedJson::Key& key, const PlacedJson& values) const {
    if (values.kind == Kind::object) return numbers(key, values);
    Axis layers;
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

  Axis numbers(const PlacedJson::Key& key, const PlacedJson& object) const {
    const auto [first, last] = range(key, object);
    Axis layers;
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
ScenarioSettings combination(ScenarioSettings settings, const std::vector<Axis>& axes,
                             std::size_t number) {
  std::vector<const ScenarioSettings*> layers(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; number /= axes[a].size())
    layers[a] = &axes[a][number % axes[a].size()];
  for (const ScenarioSettings* layer : layers) settings.override_with(*layer);
  return settings;
}

}  // namespace

std::string sweep_key(const ScenarioSettings& settings) {
  return fnv1a_128(settings.canonical_json());
}

SweepPlan read_sweep_plan(const std::string& path) {
  const PlacedDocument document = read_placed_json(path);
  if (document.root.kind != Kind::object)
    throw document.error(document.root, fmt::format("a plan is {}; accepted is an object",
                                                    in_words(document.root.kind)));
  const PlanReader reader(document);
  const std::vector<Axis> axes = reader.axes();
  const ScenarioSettings base = reader.base();
  SweepPlan plan;
  plan.combinations = 1;
  for (const Axis& axis : axes) plan.combinations *= axis.size();
  std::set<std::string> known;
  for (std::size_t i = 0; i < plan.combinations; ++i) {
    ScenarioSettings settings = combination(base, axes, i);
    std::string key = sweep_key(settings);
    if (known.insert(key).second) plan.scenarios.push_back({std::move(key), std::move(settings)});
  }
  return plan;
}

}  // namespace vtopo::detail
