#include "cli/options/scenario_guest.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include "cli/options/schedule_file.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

namespace {

std::vector<Bytes> parse_volumes(const std::string& list) {
  std::vector<Bytes> volumes;
  for (const auto piece : split(list, ',')) volumes.push_back(parse_bytes(piece));
  return volumes;
}

/// Refuses what would fill the memory before an answer: the largest arrays hold one entry per
/// directed link of the network and per edge of the guest.
void check_memory(double links, double edges) {
  constexpr double bytes_per_link = 64, bytes_per_edge = 64;
  const double needed = links * bytes_per_link + edges * bytes_per_edge;
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > present)
    throw InputError(fmt::format(
        "{:.3g} directed links and {:.3g} edges need about {} of memory; this machine has {}",
        links, edges, format_bytes({needed}), format_bytes({present})));
}

CommGraph recorded_guest(const ScenarioOptions& options) {
  TrafficOptions traffic;
  if (!options.traffic_format.empty())
    traffic.format = parse_traffic_format(options.traffic_format);
  traffic.num_ranks = options.ranks;
  traffic.prof_kinds = parse_prof_kinds(options.prof_kinds);
  traffic.record_kinds = parse_record_kinds(options.record_kinds);
  CommGraph guest = read_traffic(options.traffic, traffic);
  return options.per_message ? per_message(guest) : guest;
}

/// Edges of the phases and of their sum.
double num_edges(const Schedule& schedule) {
  double edges = 0;
  for (const SchedulePhase& phase : schedule.phases)
    edges += 2 * static_cast<double>(phase.traffic.num_edges());
  return edges;
}

Schedule read_schedule(const ScenarioOptions& options,
                       const std::optional<GuestTopology>& topology) {
  const auto volumes = parse_volumes(options.bytes);
  if (!options.schedule.empty()) return read_schedule_file(options.schedule, topology, volumes);
  return make_schedule(parse_patterns(join(options.patterns, ",")), *topology, volumes);
}

/// What the guest is called: its topology with what runs on it, or a file.
std::string guest_name(const ScenarioOptions& options) {
  std::string name = options.topology.empty() ? options.traffic : options.topology;
  const std::string schedule =
      options.schedule.empty() ? join(options.patterns, ",") : options.schedule;
  if (!schedule.empty()) name += (name.empty() ? "" : ", ") + schedule;
  return name;
}

void build_scheduled_guest(const ScenarioOptions& options,
                           const std::optional<GuestTopology>& topology, Scenario& scenario) {
  if (topology) {
    check_fit(num_ranks(*topology), scenario.allocation);
    check_memory(scenario.network->num_links(), most_edges(*topology));
  }
  scenario.schedule = read_schedule(options, topology);
  check_fit(scenario.schedule->phases.front().traffic.num_ranks(), scenario.allocation);
  check_memory(scenario.network->num_links(), num_edges(*scenario.schedule));
  scenario.guest = aggregated(*scenario.schedule);
}

}  // namespace

std::optional<GuestTopology> read_topology(const ScenarioOptions& options, Scenario& scenario) {
  if (options.topology.empty() && options.traffic.empty() && options.schedule.empty())
    throw UsageError("who communicates with whom is missing: give --topology or --traffic");
  if (options.topology.empty()) return std::nullopt;
  GuestTopology topology = parse_guest_topology(options.topology);
  if (const Cartesian* grid = grid_of(topology)) scenario.grid = *grid;
  return topology;
}

void build_guest(const ScenarioOptions& options, const std::optional<GuestTopology>& topology,
                 Scenario& scenario) {
  if (!options.patterns.empty() || !options.schedule.empty()) {
    build_scheduled_guest(options, topology, scenario);
  } else if (topology) {
    const auto volumes = parse_volumes(options.bytes);
    check_fit(num_ranks(*topology), scenario.allocation);
    check_memory(scenario.network->num_links(), most_edges(*topology));
    scenario.guest = make_comm_graph(*topology, volumes);
  } else {
    scenario.guest = recorded_guest(options);
    scenario.recorded = !options.per_message;
    check_fit(scenario.guest.num_ranks(), scenario.allocation);
    check_memory(scenario.network->num_links(), 0);
  }
  scenario.guest_text = fmt::format("{}: {} ranks, {} directed edges, {}", guest_name(options),
                                    scenario.guest.num_ranks(), scenario.guest.num_edges(),
                                    format_bytes(scenario.guest.total_volume()));
  if (scenario.schedule)
    scenario.guest_text += fmt::format(", {} phase{}", scenario.schedule->phases.size(),
                                       scenario.schedule->phases.size() == 1 ? "" : "s");
}

}  // namespace vtopo
