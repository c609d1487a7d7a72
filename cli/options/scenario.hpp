#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/network_options.hpp"
#include "cli/options/verb.hpp"
#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "sim/evaluation/background.hpp"
#include "topology/cartesian.hpp"
#include "topology/comm_graph.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// Who communicates with whom on what: the options of every verb that looks at a machine, as typed.
struct ScenarioOptions : NetworkOptions {
  std::string topology;
  std::string bytes = "1MiB";
  std::vector<std::string> patterns;  ///< lists, in the order given; none: every neighbour at once
  std::string schedule;               ///< file; empty: none
  std::string traffic;
  std::string traffic_format;
  std::string prof_kinds = "E";
  std::string record_kinds = "all";
  std::optional<int> ranks;
  bool per_message = false;

  std::string hosts = "all";
  std::string slots = "1";
  std::uint64_t seed = 1;
  std::string background;     ///< file of what other jobs send; empty: none
  std::string scenario_file;  ///< read before the options are; empty: none
};

/// Adds the options, with help, in groups.
void add_scenario_options(Verb& verb, ScenarioOptions& options);

/// Help of `--hosts`.
inline constexpr const char* hosts_help =
    "hosts of the job: all, first:N, block:START,N, random:N, spaced:N, list:0,5,9, "
    "slurm:node[1-4], file:FILE; parts of the machine: group:0,2 (dragonfly; chassis, router), "
    "leaf:0-3 (fat tree; pod), plane:0=2-3 (torus: dimension 0)";

/// Ranks per host of `--slots`, one number or one per host.
/// @throws UsageError for anything but numbers from 1 to 1000000.
std::vector<int> parse_slots(const std::string& list);

/// Other jobs on the machine.
struct Background {
  PlacedTraffic traffic;
  Metrics alone;     ///< of that traffic by itself
  std::string text;  ///< for people
};

/// The scenario that the options name.
struct Scenario {
  CommGraph guest;                   ///< of a schedule: all that it sends
  std::optional<Schedule> schedule;  ///< absent: all messages start at once
  std::optional<Cartesian> grid;     ///< the virtual topology, if it is a Cartesian grid
  std::shared_ptr<const Network> network;
  Allocation allocation;
  std::optional<Background> background;
  std::string guest_text;    ///< for people
  std::string network_text;  ///< for people
  bool recorded = false;     ///< the guest is a recorded total, not one exchange
};

/// Option and value of everything that reproduces the scenario, in the order of `--help`.
std::vector<std::pair<std::string, std::string>> described(const ScenarioOptions& options);

/// @throws UsageError for missing options, FitError if the ranks do not fit into the allocation,
/// and whatever readers and models throw.
Scenario build_scenario(const ScenarioOptions& options);

}  // namespace vtopo
