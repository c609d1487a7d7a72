#include "sim/scenario/scenario_guest.hpp"
#include "sim/scenario/domain.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "sim/placement/embedding.hpp"
#include "sim/run/placed_json.hpp"
#include "sim/scenario/schedule_file.hpp"
#include "sim/clock/programs/sent_volumes.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

CommGraph recorded_guest(const Scenario& scenario, Observer& observer) {
  if (scenario.traffic_graph)
    return scenario.per_message ? per_message(*scenario.traffic_graph) : *scenario.traffic_graph;
  TrafficOptions traffic;
  if (scenario.traffic_format) traffic.format = **scenario.traffic_format;
  traffic.num_ranks = scenario.ranks;
  traffic.prof_kinds = *scenario.prof_kinds;
  traffic.record_kinds = *scenario.record_kinds;
  RecordedTraffic recorded = read_recorded_traffic(scenario.traffic, traffic);
  for (const std::string& sentence : recorded.remarks) observer.remark(sentence);
  return scenario.per_message ? per_message(recorded.graph) : std::move(recorded.graph);
}

/// Edges of the phases and of their sum.
double num_edges(const Schedule& schedule) {
  double edges = 0;
  for (const SchedulePhase& phase : schedule.phases)
    edges += 2 * static_cast<double>(phase.traffic.num_edges());
  return edges;
}

/// The grid that divides a domain, in whatever order its ranks are numbered.
const Cartesian* dividing_grid(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind))
    return stencil->volume_class == VolumeClass::dimension ? &stencil->grid : nullptr;
  const auto* any = std::get_if<VirtualTopology>(&topology.kind);
  return any == nullptr ? nullptr : std::get_if<Cartesian>(any);
}

/// Per directed edge, or one per dimension.
std::vector<Bytes> volumes_of(const Scenario& scenario,
                              const std::optional<GuestTopology>& topology) {
  if (!scenario.domain) return *scenario.bytes;
  const Cartesian* grid = topology ? dividing_grid(*topology) : nullptr;
  if (grid == nullptr)
    throw UsageError(fmt::format(
        "--domain {}: \"{}\" does not divide it by faces; accepted are cart: and stencils with "
        "neighbours along dimensions",
        scenario.domain->text(), scenario.topology));
  return halo_volumes(*grid, **scenario.domain, *scenario.element);
}

Schedule read_schedule(const Scenario& scenario, const std::optional<GuestTopology>& topology,
                       Observer& observer) {
  const std::vector<Bytes> volumes = volumes_of(scenario, topology);
  if (!scenario.schedule.empty())
    return read_schedule_file(scenario.schedule, topology, volumes, observer);
  std::vector<PatternSpec> patterns;
  for (const auto& list : scenario.patterns)
    patterns.insert(patterns.end(), list->begin(), list->end());
  return make_schedule(patterns, *topology, volumes);
}

/// What the guest is called: its topology with what runs on it, or a file.
std::string guest_name(const Scenario& scenario) {
  std::string name = scenario.topology.empty() ? scenario.traffic : scenario.topology;
  std::string schedule = scenario.schedule;
  for (const auto& pattern : scenario.patterns)
    schedule += (schedule.empty() ? "" : ",") + pattern.text();
  if (!schedule.empty()) name += (name.empty() ? "" : ", ") + schedule;
  return name;
}

void build_scheduled_guest(const Scenario& scenario, const std::optional<GuestTopology>& topology,
                           Observer& observer, Experiment& experiment) {
  if (topology) {
    check_fit(num_ranks(*topology), experiment.allocation);
    check_memory(experiment.network->num_links(), max_edges(*topology));
  }
  experiment.schedule = read_schedule(scenario, topology, observer);
  if (scenario.barriers) experiment.schedule->barriers = true;
  check_fit(experiment.schedule->phases.front().traffic.num_ranks(), experiment.allocation);
  check_memory(experiment.network->num_links(), num_edges(*experiment.schedule));
  experiment.guest = aggregated(*experiment.schedule);
}

/// The scenario has no application but its trace.
void check_trace_alone(const Scenario& scenario) {
  const auto refuse = [](std::string_view option) {
    throw UsageError(
        fmt::format("--trace and {}: a trace says itself who communicates with whom", option));
  };
  if (!scenario.topology.empty()) refuse("--topology");
  if (!scenario.traffic.empty()) refuse("--traffic");
  if (!scenario.schedule.empty()) refuse("--schedule");
  if (!scenario.patterns.empty()) refuse("--pattern");
  if (scenario.barriers)
    throw UsageError("--trace and --barriers: a trace has the barriers of its program");
}

/// `run (vtopo): 64 ranks, 1024 messages, 4 MiB`.
std::string trace_text(const Scenario& scenario, const Experiment& experiment) {
  return fmt::format("{} ({}{}): {}, {}, {}", scenario.trace, experiment.trace->format,
                     experiment.trace->cuts.empty() ? "" : ", up to where it is cut off",
                     counted(experiment.guest.num_ranks(), "rank"),
                     counted(num_messages(experiment.trace->program), "message"),
                     format_bytes(experiment.guest.total_volume()));
}

/// @throws UsageError, for a list that says how several are given.
GuestTopology parse_one_topology(const std::string& spec) {
  const auto is_one = [](std::string_view piece) {
    try {
      parse_guest_topology(piece);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  try {
    return parse_guest_topology(spec);
  } catch (const UsageError&) {
    const auto pieces = split(spec, ',');
    if (pieces.size() < 2 || !std::all_of(pieces.begin(), pieces.end(), is_one)) throw;
    throw UsageError(
        fmt::format("topology \"{}\" is a list: vtopo compare takes several, each with "
                    "its own --topology, such as --topology {} --topology {}",
                    spec, pieces[0], pieces[1]));
  }
}

}  // namespace

void check_memory(double links, double edges) {
  constexpr double bytes_per_link = 64, bytes_per_edge = 64;
  const double needed = links * bytes_per_link + edges * bytes_per_edge;
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > present)
    throw InputError(
        fmt::format("{:.3g} directed links{} need about {} of memory; this machine "
                    "has {}",
                    links, edges > 0 ? fmt::format(" and {:.3g} edges", edges) : "",
                    format_bytes({needed}), format_bytes({present})));
}

std::string with_model(const std::string& spec) {
  constexpr std::string_view key = ",model=";
  const std::size_t at = spec.find(key);
  if (spec.find("parallel:") == std::string::npos || at == std::string::npos) return spec;
  const std::size_t start = at + key.size();
  const std::size_t end = std::min(spec.find(',', start), spec.size());
  const PlacedDocument document = read_placed_json(spec.substr(start, end - start));
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

std::shared_ptr<const Trace> read_recorded_program(const Scenario& scenario, Observer& observer) {
  check_trace_alone(scenario);
  const auto work = observer.begin("reading " + scenario.trace);
  TraceOptions options;
  options.format = scenario.trace_format;
  options.compute_scale = *scenario.compute_scale;
  options.collectives.library = scenario.library;
  if (scenario.collectives) options.collectives.algorithms = **scenario.collectives;
  options.prefix = scenario.prefix;
  auto trace = std::make_shared<const Trace>(read_trace(scenario.trace, options));
  for (const std::string& sentence : trace->cuts) observer.remark(sentence);
  return trace;
}

std::optional<GuestTopology> read_topology(const Scenario& scenario, Experiment& experiment) {
  if (scenario.topology.empty() && scenario.traffic.empty() && scenario.schedule.empty())
    throw UsageError("who communicates with whom is missing: give --topology or --traffic");
  if (scenario.topology.empty()) return std::nullopt;
  GuestTopology topology = parse_one_topology(with_model(scenario.topology));
  if (const Cartesian* grid = grid_of(topology)) experiment.grid = *grid;
  return topology;
}

void build_guest(const Scenario& scenario, const std::optional<GuestTopology>& topology,
                 Observer& observer, Experiment& experiment) {
  if (experiment.trace) {
    check_fit(experiment.trace->program.num_ranks(), experiment.allocation);
    experiment.guest = traffic_of(experiment.trace->program);
    experiment.guest_text = trace_text(scenario, experiment);
    return;
  }
  if (!scenario.patterns.empty() || !scenario.schedule.empty()) {
    build_scheduled_guest(scenario, topology, observer, experiment);
  } else if (topology) {
    const std::vector<Bytes> volumes = volumes_of(scenario, topology);
    check_fit(num_ranks(*topology), experiment.allocation);
    check_memory(experiment.network->num_links(), max_edges(*topology));
    experiment.guest = make_comm_graph(*topology, volumes);
  } else {
    experiment.guest = recorded_guest(scenario, observer);
    experiment.recorded = !scenario.per_message;
    check_fit(experiment.guest.num_ranks(), experiment.allocation);
    check_memory(experiment.network->num_links(), 0);
  }
  experiment.guest_text = fmt::format("{}: {}, {}, {}", guest_name(scenario),
                                      counted(experiment.guest.num_ranks(), "rank"),
                                      counted(experiment.guest.num_edges(), "directed edge"),
                                      format_bytes(experiment.guest.total_volume()));
  if (experiment.schedule)
    experiment.guest_text += ", " + counted(experiment.schedule->phases.size(), "phase");
}

}  // namespace vtopo::detail
