#include "sim/experiment/schedule_file.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "sim/experiment/placed_json.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

namespace {

using JsonKind = PlacedJson::Kind;

/// Reads the phases of one file.
class ScheduleReader {
 public:
  ScheduleReader(const PlacedDocument& document, const std::optional<GuestTopology>& topology,
                 std::span<const Bytes> volume)
      : document_(document), topology_(topology), volume_(volume) {}

  Schedule read() const {
    check_keys(document_.root, "the schedule", {"$schema", "schema", "phases"});
    const PlacedJson* phases = document_.root.find("phases");
    if (phases == nullptr || phases->kind != JsonKind::array || phases->items.empty())
      throw document_.error(phases == nullptr ? document_.root : *phases,
                            "accepted is {\"phases\": [...]} with one phase or more");
    Schedule schedule;
    for (const PlacedJson& phase : phases->items) add_phase(phase, schedule);
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

  void add_phase(const PlacedJson& phase, Schedule& schedule) const {
    check_keys(phase, "a phase", {"bytes", "name", "pattern", "repeat", "traffic"});
    const PlacedJson* pattern = value(phase, "pattern");
    const PlacedJson* traffic = value(phase, "traffic");
    if ((pattern == nullptr) == (traffic == nullptr))
      throw document_.error(phase, "a phase has either a \"pattern\" or \"traffic\"");
    auto phases = pattern != nullptr ? of_pattern(phase, *pattern) : of_traffic(phase, *traffic);
    for (SchedulePhase& one : phases) {
      one.repeat = multiplied(phase, one.repeat);
      check_ranks(phase, one, schedule);
      schedule.phases.push_back(std::move(one));
    }
  }

  std::vector<SchedulePhase> of_pattern(const PlacedJson& phase, const PlacedJson& pattern) const {
    if (const PlacedJson* name = value(phase, "name"))
      throw document_.error(*name, "a \"name\" is for traffic: phases of patterns have theirs");
    if (!topology_) throw document_.error(pattern, "a pattern needs a topology: give --topology");
    try {
      std::vector<Bytes> volumes(volume_.begin(), volume_.end());
      if (const PlacedJson* bytes = value(phase, "bytes")) {
        volumes.clear();
        for (const auto piece : split(bytes->text, ',')) volumes.push_back(parse_bytes(piece));
      }
      return make_schedule(parse_patterns(pattern.text), *topology_, volumes).phases;
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
      return read_traffic(traffic.text, options);
    } catch (const UsageError& error) {
      throw document_.error(traffic, error.what());
    }
  }

  void check_ranks(const PlacedJson& place, const SchedulePhase& phase,
                   const Schedule& schedule) const {
    if (schedule.phases.empty()) return;
    const int before = schedule.phases.front().traffic.num_ranks();
    if (phase.traffic.num_ranks() != before)
      throw document_.error(place, fmt::format("{} ranks behind a phase of {}: all phases have one "
                                               "number of ranks, that of --topology if given",
                                               phase.traffic.num_ranks(), before));
  }

  const PlacedDocument& document_;
  const std::optional<GuestTopology>& topology_;
  std::span<const Bytes> volume_;
};

}  // namespace

Schedule read_schedule_file(const std::string& path, const std::optional<GuestTopology>& topology,
                            std::span<const Bytes> volume) {
  const PlacedDocument document = read_placed_json(path);
  return ScheduleReader(document, topology, volume).read();
}

}  // namespace vtopo
