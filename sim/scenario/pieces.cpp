#include "sim/scenario/pieces.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "sim/scenario/auto_grid.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

/// Whether a value was written in another way than its default.
template <auto member>
bool is_written(const Scenario& scenario) {
  return !(scenario.*member == Scenario().*member);
}

template <auto parse>
auto value_of(const std::optional<Parsed<parse>>& given) {
  return given ? std::optional(**given) : std::nullopt;
}

ExchangeVolumes volumes_of(const Scenario& scenario) {
  if (!scenario.domain) return *scenario.bytes;
  return DividedDomain{**scenario.domain, *scenario.element, scenario.domain->text()};
}

TopologySource topology_source(const Scenario& scenario) {
  if (scenario.topology == auto_grid) {
    const BalancedGrids grids = balanced_grids(scenario);
    TopologySource source = topology_source(grids.scenarios.front());
    source.assumed = grids.assumed;
    return source;
  }
  TopologySource source{scenario.topology, volumes_of(scenario), {}, {},
                        scenario.barriers, scenario.ranks};
  for (const auto& list : scenario.patterns) {
    source.patterns.insert(source.patterns.end(), list->begin(), list->end());
    source.patterns_text += (source.patterns_text.empty() ? "" : ",") + list.text();
  }
  return source;
}

/// Of ranks of which nothing else is said.
TopologySource halo_source(Scenario scenario) {
  if (*scenario.ranks < 1) throw UsageError("--ranks 0: accepted are numbers from 1");
  scenario.topology = cubic_grid(*scenario.ranks);
  TopologySource source = topology_source(scenario);
  source.assumed = fmt::format(
      "{} ranks exchange with their neighbours on a grid: --topology {}, {}", *scenario.ranks,
      scenario.topology,
      scenario.domain ? "--domain " + scenario.domain->text() : scenario.bytes.text() + " to each");
  return source;
}

TrafficSource traffic_source(const Scenario& scenario) {
  return {scenario.traffic,
          scenario.traffic_graph,
          {value_of(scenario.traffic_format), scenario.ranks, *scenario.prof_kinds,
           *scenario.record_kinds, *scenario.weights},
          scenario.per_message};
}

/// @throws UsageError for an application beside the trace.
TraceSource trace_source(const Scenario& scenario) {
  const auto refuse = [](bool given, std::string_view option) {
    if (given)
      throw UsageError(
          fmt::format("--trace and {}: a trace says itself who communicates with whom", option));
  };
  refuse(!scenario.topology.empty(), "--topology");
  refuse(!scenario.traffic.empty(), "--traffic");
  refuse(!scenario.schedule.empty(), "--schedule");
  refuse(!scenario.patterns.empty(), "--pattern");
  refuse(scenario.domain.has_value(), "--domain");
  refuse(scenario.ranks.has_value(), "--ranks");
  if (scenario.barriers)
    throw UsageError("--trace and --barriers: a trace has the barriers of its program");
  TraceOptions options;
  options.format = scenario.trace_format;
  options.compute_scale = *scenario.compute_scale;
  options.collectives.library = scenario.library;
  if (scenario.collectives) options.collectives.algorithms = **scenario.collectives;
  options.prefix = scenario.prefix;
  return {scenario.trace, std::move(options)};
}

/// The file of `--host-names map:FILE`, if any.
std::string node_map_of(const Scenario& scenario) {
  const std::string text = scenario.host_names ? scenario.host_names->text() : std::string();
  return text.starts_with(node_map_prefix) ? text.substr(node_map_prefix.size()) : std::string();
}

NetworkSpecification specification(const Scenario& scenario) {
  if (is_written<&Scenario::taper>(scenario))
    throw UsageError(fmt::format(
        "--taper {} has no effect on --network {}: it is about Slurm's files; write the key taper "
        "or bandwidth of the network, such as \"fat-tree:2;4,4;1,2;1,2,taper=2\" (vtopo networks)",
        scenario.taper.text(), scenario.network));
  NetworkSpecification result{scenario.network, {}, scenario.bandwidth.text(), {}};
  result.links.bandwidth = *scenario.bandwidth;
  result.links.latency = *scenario.latency;
  if (scenario.host_names) result.links.host_names = **scenario.host_names;
  result.node_map = node_map_of(scenario);
  return result;
}

/// @throws UsageError for options about cables with files that know their cables.
MachineFile machine_file(const Scenario& scenario) {
  MachineFile file{
      scenario.platform,
      scenario.platform_format ? **scenario.platform_format : machine_format_of(scenario.platform),
      {*scenario.bandwidth, *scenario.latency, *scenario.taper},
      scenario.taper.text(),
      scenario.host_names ? **scenario.host_names : nullptr,
      node_map_of(scenario)};
  const bool slurm =
      file.format == MachineFormat::slurm_conf || file.format == MachineFormat::slurm_yaml;
  const auto check = [&](const char* option, bool given, bool fits) {
    if (given && !fits)
      throw UsageError(
          fmt::format("{} does not go with \"{}\", which has its own", option, file.path));
  };
  check("--bandwidth", is_written<&Scenario::bandwidth>(scenario), slurm);
  check("--latency", is_written<&Scenario::latency>(scenario),
        file.format != MachineFormat::simgrid);
  if (is_written<&Scenario::taper>(scenario) && !slurm)
    throw UsageError(fmt::format(
        "--taper has no effect on \"{}\", whose links have their bandwidths: write them there, or "
        "--scale-bandwidth 'PATTERN=0.5'",
        file.path));
  return file;
}

RoutingOptions routing_of(const Scenario& scenario) {
  const Routing rule = *scenario.routing;
  if (!scenario.simgrid_compatible) return {rule};
  if (rule != Routing::simgrid && rule != Routing::automatic)
    throw UsageError(
        fmt::format("--simgrid-compatible takes the routes of SimGrid, --routing {} takes others",
                    scenario.routing.text()));
  return {Routing::simgrid, true};
}

/// The bandwidth inside a host has two names.
EndpointProperties endpoint_properties(const Scenario& scenario) {
  EndpointProperties properties{
      value_of(scenario.overhead),         value_of(scenario.gap),
      value_of(scenario.eager_limit),      value_of(scenario.handshake),
      value_of(scenario.memory_bandwidth), value_of(scenario.reduction_bandwidth)};
  if (is_written<&Scenario::loopback_bandwidth>(scenario))
    properties.memory_bandwidth = *scenario.loopback_bandwidth;
  return properties;
}

}  // namespace

GuestSource guest_source(const Scenario& scenario) {
  if (!scenario.trace.empty()) return trace_source(scenario);
  if (!scenario.schedule.empty())
    return ScheduleSource{scenario.schedule, scenario.topology, volumes_of(scenario),
                          scenario.barriers};
  if (!scenario.topology.empty()) return topology_source(scenario);
  if (!scenario.traffic.empty()) return traffic_source(scenario);
  if (scenario.ranks) return halo_source(scenario);
  throw UsageError(
      "the application is missing: give a grid such as 8x8x8, a number of ranks, a recording or a "
      "trace (or --topology, --ranks, --traffic, --trace)");
}

NetworkSource network_source(const Scenario& scenario) {
  const RoutingOptions routing = routing_of(scenario);
  if (scenario.network.empty() && scenario.platform.empty())
    throw UsageError(
        "the machine is missing: give a name of vtopo machines, a specification (vtopo networks "
        "lists them) or a file (or --platform, --network)");
  const Limits limits = parse_limits(scenario.limits);
  NetworkEdits edits{scenario.fail_links, scenario.fail_hosts, {}};
  for (const auto& scaled : scenario.scale_bandwidth) edits.scaled.push_back(*scaled);
  NetworkSource source{{}, routing, std::move(edits), endpoint_properties(scenario), limits};
  if (scenario.platform.empty())
    source.from = specification(scenario);
  else
    source.from = machine_file(scenario);
  return source;
}

JobHosts job_of(const Scenario& scenario) {
  JobHosts job{scenario.hosts, *scenario.slots, scenario.seed, scenario.background};
  if (!scenario.embedding.empty() && !is_written<&Scenario::slots>(scenario)) {
    job.file = scenario.embedding;
    job.file_format = &embedding_format_of(scenario.embedding, scenario.embedding_format);
  }
  if (!scenario.imbalance) return job;
  if (is_written<&Scenario::slots>(scenario))
    throw UsageError(
        fmt::format("--imbalance {} says how many ranks a host takes, and so does "
                    "--slots {}; accepted is one of them",
                    scenario.imbalance->text(), scenario.slots.text()));
  job.slots = **scenario.imbalance;
  return job;
}

RunBudget budget_of(const Scenario& scenario) {
  return {scenario.time_limit, scenario.steps,
          scenario.threads > 0 ? scenario.threads : hardware_threads(), scenario.seed};
}

ClockChoice clock_of(const Scenario& scenario) {
  const Limits limits = parse_limits(scenario.limits);
  SimulationOptions how;
  how.model = *scenario.network_model;
  how.loopback_bandwidth = *scenario.loopback_bandwidth;
  how.solver = chosen_solver(*scenario.solver, *scenario.network_model);
  how.time_limit = limits.time;
  how.memory_limit = limits.memory;
  return {scenario.simulate, std::move(how)};
}

Mapping mapping_of(const Scenario& scenario) {
  Mapping mapping{std::nullopt, parse_mappers(scenario.mappers),
                  scenario.objective ? **scenario.objective : default_objective(),
                  scenario.min_gain};
  if (scenario.embedding.empty()) return mapping;
  mapping.order_file = MapperSpec{mapper_of(MapperRole::embedding_file).name, {}};
  mapping.order_file->options["path"] = scenario.embedding;
  mapping.order_file->options["format"] =
      embedding_format_of(scenario.embedding, scenario.embedding_format).name;
  return mapping;
}

bool has_costs_between_hosts(const EndpointProperties& said) {
  return said.overhead || said.gap || said.eager_limit || said.handshake ||
         said.reduction_bandwidth;
}

}  // namespace vtopo::detail
