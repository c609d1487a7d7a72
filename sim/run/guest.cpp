#include "sim/run/guest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

#include "sim/scenario/pieces.hpp"
#include "sim/scenario/placed_json.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding_of_shares = 1e-9;  ///< 3 % of 100 are 3

using JsonKind = PlacedJson::Kind;

/// Reads the phases of one file.
class ScheduleReader {
 public:
  ScheduleReader(const PlacedDocument& document, const std::optional<GuestTopology>& topology,
                 std::span<const Bytes> volume, const JobNodes& nodes, Observer& observer)
      : document_(document),
        topology_(topology),
        volume_(volume),
        nodes_(nodes),
        observer_(observer) {}

  Schedule read() {
    check_keys(document_.root, "the schedule", {"$schema", "schema", "barriers", "phases"});
    const PlacedJson* phases = document_.root.find("phases");
    if (phases == nullptr || phases->kind != JsonKind::array || phases->items.empty())
      throw document_.error(phases == nullptr ? document_.root : *phases,
                            "accepted is {\"phases\": [...]} with one phase or more");
    for (const PlacedJson& phase : phases->items) add_phase(phase);
    Schedule schedule = std::move(builder_).schedule();
    schedule.barriers = flag(document_.root, "barriers");
    return schedule;
  }

 private:
  void check_keys(const PlacedJson& object, std::string_view what,
                  const std::vector<std::string>& names) const {
    if (object.kind != JsonKind::object)
      throw document_.error(
          object, fmt::format("{} is {}; accepted is an object", what, in_words(object.kind)));
    for (const PlacedJson::Key& key : object.keys)
      if (std::find(names.begin(), names.end(), key.name) == names.end())
        throw document_.error(key, fmt::format("unknown key \"{}\"; accepted: {}{}", key.name,
                                               join(names, ", "), suggestion(key.name, names)));
  }

  /// Text of a string or number; null if the key is not there.
  const PlacedJson* value(const PlacedJson& object, std::string_view key) const {
    const PlacedJson* found = object.find(key);
    if (found != nullptr && found->kind != JsonKind::string && found->kind != JsonKind::number)
      throw document_.error(*found, fmt::format("\"{}\" is {}; accepted is a string or a number",
                                                key, in_words(found->kind)));
    return found;
  }

  bool flag(const PlacedJson& object, std::string_view key) const {
    const PlacedJson* found = object.find(key);
    if (found == nullptr) return false;
    if (found->kind != JsonKind::boolean)
      throw document_.error(*found, fmt::format("\"{}\" is {}; accepted is true or false", key,
                                                in_words(found->kind)));
    return found->text == "true";
  }

  std::string text_or_empty(const PlacedJson& object, std::string_view key) const {
    const PlacedJson* found = value(object, key);
    return found == nullptr ? std::string() : found->text;
  }

  std::int64_t repeat(const PlacedJson& phase) const {
    const PlacedJson* text = value(phase, "repeat");
    if (text == nullptr) return 1;
    const auto number = parse_integer(text->text);
    if (!number || *number < 1 || *number > 1'000'000'000)
      throw document_.error(
          *text, fmt::format("repeat {} is not a whole number from 1 to 1000000000", text->text));
    return *number;
  }

  /// Steps of a phase that has so many by its pattern.
  std::int64_t multiplied(const PlacedJson& phase, std::int64_t steps) const {
    const std::int64_t times = repeat(phase);
    if (steps > std::numeric_limits<std::int64_t>::max() / times)
      throw document_.error(
          phase, fmt::format("repeat {} of a pattern that takes {} steps: together at most {}",
                             times, steps, std::numeric_limits<std::int64_t>::max()));
    return times * steps;
  }

  void add_phase(const PlacedJson& phase) {
    check_keys(phase, "a phase", {"bytes", "name", "pattern", "repeat", "traffic", "with"});
    const PlacedJson* pattern = value(phase, "pattern");
    const PlacedJson* traffic = value(phase, "traffic");
    if ((pattern == nullptr) == (traffic == nullptr))
      throw document_.error(phase, "a phase has either a \"pattern\" or \"traffic\"");
    if (pattern != nullptr) {
      for (const PatternSpec& spec : patterns_of(phase, *pattern))
        add(phase, *pattern, of_pattern(phase, *pattern, spec), option(spec, "name"),
            option(spec, "with"));
    } else {
      add(phase, *traffic, of_traffic(phase, *traffic), text_or_empty(phase, "name"),
          text_or_empty(phase, "with"));
    }
  }

  void add(const PlacedJson& phase, const PlacedJson& place, std::vector<SchedulePhase> phases,
           const std::string& name, const std::string& with) {
    for (SchedulePhase& one : phases) {
      one.repeat = multiplied(phase, one.repeat);
      check_ranks(phase, one);
    }
    try {
      builder_.add(std::move(phases), name, with);
    } catch (const UsageError& error) {
      throw document_.error(place, error.what());
    }
  }

  static std::string option(const PatternSpec& spec, std::string_view key) {
    const auto found = spec.options.find(key);
    return found == spec.options.end() ? std::string() : found->second;
  }

  /// A name and what it runs with stand in the pattern or beside it.
  std::vector<PatternSpec> patterns_of(const PlacedJson& phase, const PlacedJson& pattern) const {
    if (!topology_) throw document_.error(pattern, "a pattern needs a topology: give --topology");
    try {
      auto specs = parse_patterns(pattern.text);
      for (const char* key : {"name", "with"}) {
        const PlacedJson* given = value(phase, key);
        if (given == nullptr) continue;
        if (specs.size() > 1)
          throw document_.error(*given, fmt::format("\"{}\" beside {} patterns; accepted is one "
                                                    "pattern, or {}= of each",
                                                    key, specs.size(), key));
        specs.front().options[key] = given->text;
      }
      return specs;
    } catch (const UsageError& error) {
      throw document_.error(pattern, error.what());
    }
  }

  std::vector<SchedulePhase> of_pattern(const PlacedJson& phase, const PlacedJson& pattern,
                                        const PatternSpec& spec) const {
    try {
      std::vector<Bytes> volumes(volume_.begin(), volume_.end());
      if (const PlacedJson* bytes = value(phase, "bytes")) {
        volumes.clear();
        for (const auto piece : split(bytes->text, ',')) volumes.push_back(parse_bytes(piece));
      }
      return make_phases(on_nodes(spec, nodes_), *topology_, volumes);
    } catch (const UsageError& error) {
      throw document_.error(pattern, error.what());
    }
  }

  std::vector<SchedulePhase> of_traffic(const PlacedJson& phase, const PlacedJson& traffic) const {
    if (const PlacedJson* bytes = value(phase, "bytes"))
      throw document_.error(*bytes, "\"bytes\" are for patterns: traffic has its own volumes");
    TrafficOptions options;
    if (topology_) options.num_ranks = num_ranks(*topology_);
    const PlacedJson* name = value(phase, "name");
    return {{(name != nullptr ? *name : traffic).text, read(traffic, options), 1}};
  }

  CommGraph read(const PlacedJson& traffic, const TrafficOptions& options) const {
    try {
      RecordedTraffic recorded = read_recorded_traffic(traffic.text, options);
      for (const std::string& sentence : recorded.remarks) observer_.remark(sentence);
      return std::move(recorded.graph);
    } catch (const UsageError& error) {
      throw document_.error(traffic, error.what());
    }
  }

  void check_ranks(const PlacedJson& place, const SchedulePhase& phase) {
    if (!num_ranks_) num_ranks_ = phase.traffic.num_ranks();
    if (phase.traffic.num_ranks() != *num_ranks_)
      throw document_.error(place, fmt::format("{} ranks behind a phase of {}: all phases have one "
                                               "number of ranks, that of --topology if given",
                                               phase.traffic.num_ranks(), *num_ranks_));
  }

  const PlacedDocument& document_;
  const std::optional<GuestTopology>& topology_;
  std::span<const Bytes> volume_;
  const JobNodes& nodes_;
  Observer& observer_;
  ScheduleBuilder builder_;
  std::optional<int> num_ranks_;
};

}  // namespace

std::string with_model(const std::string& spec) {
  constexpr std::string_view key = ",model=";
  const std::size_t at = spec.find(key);
  if (spec.find("parallel:") == std::string::npos || at == std::string::npos) return spec;
  const std::size_t start = at + key.size();
  const std::size_t end = std::min(spec.find(',', start), spec.size());
  const std::string name = spec.substr(start, end - start);
  const bool may_be_name = is_model_name(name) || name.find_first_of("./") == std::string::npos;
  if (std::error_code ignored; may_be_name && !std::filesystem::exists(name, ignored)) return spec;
  const PlacedDocument document = read_placed_json(name);
  if (document.root.kind != PlacedJson::Kind::object)
    throw document.error(document.root,
                         "accepted is an object such as {\"layers\": 96, \"hidden\": "
                         "12288, \"sequence\": 2048, \"micro_batches\": 16}");
  std::string text = spec.substr(0, at);
  for (std::size_t i = 0; i < document.root.keys.size(); ++i) {
    if (document.root.items[i].kind != PlacedJson::Kind::number)
      throw document.error(document.root.items[i], "accepted is a number");
    text += ',' + document.root.keys[i].name + '=' + document.root.items[i].text;
  }
  return text + spec.substr(end);
}

std::vector<Bytes> halo_volumes(const Cartesian& grid, const std::vector<std::int64_t>& domain,
                                Bytes element) {
  const auto dimensions = grid.dimensions();
  if (dimensions.size() > domain.size())
    throw UsageError(
        fmt::format("a grid of {} dimensions divides a domain of {}: accepted is at "
                    "least one size of --domain per dimension",
                    dimensions.size(), domain.size()));
  std::vector<double> block;
  for (std::size_t d = 0; d < domain.size(); ++d) {
    const std::int64_t parts = d < dimensions.size() ? dimensions[d].size : 1;
    if (parts > domain[d])
      throw UsageError(
          fmt::format("{} ranks along dimension {} divide {} elements: some would have none", parts,
                      d, domain[d]));
    const std::int64_t most = (domain[d] + parts - 1) / parts;
    block.push_back(static_cast<double>(most));
  }
  std::vector<Bytes> volumes;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    double face = element.value;
    for (std::size_t other = 0; other < block.size(); ++other)
      if (other != d) face *= block[other];
    volumes.push_back({face});
  }
  return volumes;
}

Schedule read_schedule_file(const std::string& path, const std::optional<GuestTopology>& topology,
                            std::span<const Bytes> volume, const JobNodes& nodes,
                            Observer& observer) {
  const PlacedDocument document = read_placed_json(path);
  return ScheduleReader(document, topology, volume, nodes, observer).read();
}

PatternSpec on_nodes(PatternSpec spec, const JobNodes& nodes) {
  if (!depends_on_nodes(spec) || spec.options.contains("ranks_per_node")) return spec;
  std::vector<int> slots;  // of the nodes, which may be several hosts
  std::string last;
  for (std::size_t h = 0; h < nodes.allocation.hosts.size(); ++h) {
    std::string node = nodes.network.host_place(nodes.allocation.hosts[h]).node;
    if (slots.empty() || node != last) slots.push_back(0);
    slots.back() += nodes.allocation.slots[h];
    last = std::move(node);
  }
  if (std::adjacent_find(slots.begin(), slots.end(), std::not_equal_to<>()) != slots.end())
    throw UsageError(
        fmt::format("pattern {}: nodes have different numbers of slots; give it ranks_per_node=",
                    to_string(spec)));
  spec.options.emplace("ranks_per_node", std::to_string(slots.empty() ? 1 : slots.front()));
  return spec;
}

int balanced_slots(int ranks, int hosts, double imbalance) {
  const int even = ranks / hosts + (ranks % hosts > 0 ? 1 : 0);
  return std::max(1, static_cast<int>(std::floor(even * (1 + imbalance) + rounding_of_shares)));
}

int RankBalance::most_ranks() const {
  std::vector<double> sorted = weights;
  std::sort(sorted.begin(), sorted.end());
  int count = 0;
  for (double sum = 0; const double weight : sorted)
    if ((sum += weight) <= most) ++count;
  return std::max(1, count);
}

std::shared_ptr<const RankBalance> rank_balance(const TrafficSource& traffic, double imbalance,
                                                int hosts) {
  if (traffic.graph || hosts < 1) return nullptr;
  RankBalance balance{
      read_rank_weights(traffic.path, {traffic.options.format, traffic.options.num_ranks})};
  if (balance.weights.empty()) return nullptr;
  balance.even = std::accumulate(balance.weights.begin(), balance.weights.end(), 0.0) / hosts;
  balance.most = std::ceil(balance.even) * (1 + imbalance) + rounding_of_shares;
  balance.imbalance = imbalance;
  return std::make_shared<const RankBalance>(std::move(balance));
}

}  // namespace vtopo::detail
