#include "cli/options/scenario_keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/routing.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"
#include "topology/guest_topology.hpp"
#include "topology/patterns/pattern_spec.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

namespace {

using Kind = ScenarioKey::Kind;

template <std::int64_t smallest, std::int64_t largest>
void check_integer(const std::string& text) {
  const auto value = parse_integer(text);
  if (!value || *value < smallest || *value > largest)
    throw UsageError(
        fmt::format("\"{}\" is not a whole number from {} to {}", text, smallest, largest));
}
constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
constexpr int largest_int = std::numeric_limits<int>::max();

/// Checks each of a comma list.
template <void (*check)(const std::string&)>
void check_each(const std::string& list) {
  for (const auto piece : split(list, ',')) check(std::string(piece));
}

/// Calls a parser for its complaints.
template <auto parse>
void check_by(const std::string& text) {
  parse(text);
}

/// Files are read by the run.
void check_topology(const std::string& spec) {
  const bool names_file =
      spec.find("graph:") != std::string::npos || spec.find("dist:") != std::string::npos;
  if (!names_file) parse_guest_topology(spec);
}

void check_network(const std::string& spec) {
  make_network(spec, {});
}

void check_taper(const std::string& text) {
  const auto taper = parse_number(text);
  if (!taper || !(*taper >= 1) || !std::isfinite(*taper))
    throw UsageError(fmt::format("taper \"{}\": accepted is a finite number >= 1", text));
}

std::vector<ScenarioKey> make_keys() {
  return {
      {"background", Kind::text},
      {"bandwidth", Kind::text, check_by<parse_bandwidth>},
      {"bytes", Kind::list, check_each<check_by<parse_bytes>>},
      {"fail-host", Kind::many},
      {"fail-link", Kind::many},
      {"hosts", Kind::text},
      {"latency", Kind::text, check_by<parse_seconds>},
      {"loopback-bandwidth", Kind::text, check_by<parse_bandwidth>},
      {"mapper", Kind::list, check_by<parse_mappers>},
      {"network", Kind::text, check_network, {"platform", "platform-format", "taper"}},
      {"network-model", Kind::text, check_by<parse_network_model>},
      {"no-simulate", Kind::flag, nullptr, {"simulate"}},
      {"objective", Kind::list, check_by<parse_objective>},
      {"pattern", Kind::many, check_by<parse_patterns>, {"schedule"}},
      {"per-message", Kind::flag},
      {"platform", Kind::text, nullptr, {"network", "bandwidth", "latency"}},
      {"platform-format", Kind::text, check_by<parse_machine_format>},
      {"plugin", Kind::many},
      {"prof-kinds", Kind::list, check_by<parse_prof_kinds>},
      {"ranks", Kind::text, check_integer<0, largest_int>},
      {"record-kinds", Kind::text, check_by<parse_record_kinds>},
      {"routing", Kind::text, check_by<parse_routing>},
      {"scale-bandwidth", Kind::many, check_by<parse_scaled_links>},
      {"schedule",
       Kind::text,
       nullptr,
       {"pattern", "traffic", "traffic-format", "prof-kinds", "record-kinds", "ranks",
        "per-message"}},
      {"seed", Kind::text, check_integer<0, largest_integer>},
      {"simgrid-compatible", Kind::flag},
      {"simulate", Kind::flag, nullptr, {"no-simulate"}},
      {"slots", Kind::list, check_each<check_integer<1, 1'000'000>>},
      {"solver", Kind::text, check_by<parse_solver>},
      {"steps", Kind::text, check_integer<0, largest_integer>},
      {"taper", Kind::text, check_taper},
      {"time-limit", Kind::text, check_by<parse_seconds>},
      {"top-links", Kind::text, check_integer<0, largest_int>},
      {"topology",
       Kind::text,
       check_topology,
       {"traffic", "traffic-format", "prof-kinds", "record-kinds", "ranks", "per-message"}},
      {"traffic", Kind::text, nullptr, {"topology", "bytes", "pattern", "schedule"}},
      {"traffic-format", Kind::text, check_by<parse_traffic_format>},
  };
}

}  // namespace

std::span<const ScenarioKey> scenario_keys() {
  static const std::vector<ScenarioKey> keys = make_keys();
  return keys;
}

const ScenarioKey* find_scenario_key(std::string_view name) {
  const auto keys = scenario_keys();
  const auto at = std::find_if(keys.begin(), keys.end(),
                               [&](const ScenarioKey& key) { return key.name == name; });
  return at == keys.end() ? nullptr : &*at;
}

std::string unknown_scenario_key(std::string_view name) {
  std::vector<std::string> names;
  for (const ScenarioKey& key : scenario_keys()) names.emplace_back(key.name);
  const std::string hint = suggestion(name, names);
  return fmt::format("unknown key \"{}\"{}", name,
                     hint.empty() ? "; accepted: " + join(names, ", ") : hint);
}

}  // namespace vtopo
