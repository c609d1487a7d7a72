#include "sim/run/load_network.hpp"

#include <fmt/format.h>

#include <cmath>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/machines/node_map.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

RoutingOptions routing_of(const Scenario& scenario) {
  const Routing rule = *scenario.routing;
  if (!scenario.simgrid_compatible) return {rule};
  if (rule != Routing::simgrid && rule != Routing::automatic)
    throw UsageError(
        fmt::format("--simgrid-compatible takes the routes of SimGrid, --routing {} takes others",
                    scenario.routing.text()));
  return {Routing::simgrid, true};
}

/// What the scenario itself says of the ends of messages. The bandwidth inside a host has two
/// names.
EndpointProperties endpoint_properties(const Scenario& scenario) {
  const auto value = [](const auto& given) {
    return given ? std::optional(**given) : std::nullopt;
  };
  EndpointProperties properties{
      value(scenario.overhead),         value(scenario.gap),
      value(scenario.eager_limit),      value(scenario.handshake),
      value(scenario.memory_bandwidth), value(scenario.reduction_bandwidth)};
  if (!(scenario.loopback_bandwidth == Scenario().loopback_bandwidth))
    properties.memory_bandwidth = *scenario.loopback_bandwidth;
  return properties;
}

NetworkDefaults link_defaults(const Scenario& scenario) {
  NetworkDefaults defaults;
  defaults.bandwidth = *scenario.bandwidth;
  defaults.latency = *scenario.latency;
  if (scenario.host_names) defaults.host_names = **scenario.host_names;
  return defaults;
}

/// Refuses options about cables with files that know their cables.
void check_cable_options(const Scenario& scenario, MachineFormat format) {
  const Scenario defaults;
  const bool slurm = format == MachineFormat::slurm_conf || format == MachineFormat::slurm_yaml;
  const auto check = [&](const char* option, bool given, bool fits) {
    if (given && !fits)
      throw UsageError(
          fmt::format("{} does not go with \"{}\", which has its own", option, scenario.platform));
  };
  check("--bandwidth", !(scenario.bandwidth == defaults.bandwidth), slurm);
  check("--latency", !(scenario.latency == defaults.latency), format != MachineFormat::simgrid);
  if (!(scenario.taper == defaults.taper) && !slurm)
    throw UsageError(fmt::format(
        "--taper has no effect on \"{}\", whose links have their bandwidths: write them there, or "
        "--scale-bandwidth 'PATTERN=0.5'",
        scenario.platform));
}

/// ` at 10 GB/s and 100 ns per link`, of what is given.
std::string at_rates(std::optional<BytesPerSecond> bandwidth, std::optional<Seconds> latency) {
  std::string text;
  if (bandwidth) text += " at " + format_bandwidth(*bandwidth);
  if (latency) text += (bandwidth ? " and " : " at ") + format_seconds(*latency);
  return text.empty() ? text : text + " per link";
}

/// The rates that a file of this format leaves to the scenario.
std::string at_rates(const Scenario& scenario, MachineFormat format, const LinkRates& given) {
  if (format == MachineFormat::simgrid) return {};
  if (format == MachineFormat::ibnetdiscover) return at_rates({}, given.latency);
  return fmt::format(" at {} per host and {} per link, taper {}",
                     format_bandwidth(*given.bandwidth), format_seconds(*given.latency),
                     scenario.taper.text());
}

LoadedNetwork machine_from_file(const Scenario& scenario, const RoutingOptions& routing,
                                const Limits& limits, Observer& observer) {
  const MachineFormat format =
      scenario.platform_format ? **scenario.platform_format : machine_format_of(scenario.platform);
  check_cable_options(scenario, format);
  const NetworkDefaults defaults = link_defaults(scenario);
  const auto work = observer.begin("loading " + scenario.platform);
  EndpointProperties endpoint;
  MachineOptions machine;
  machine.format = format;
  machine.platform = {scenario.simgrid_compatible,
                      routing.rule,
                      work->callback(),
                      [&observer](const std::string& sentence) { observer.remark(sentence); },
                      limits,
                      [&endpoint](const EndpointProperties& said) { endpoint = said; }};
  machine.cables = {defaults.bandwidth, defaults.latency, *scenario.taper};
  machine.routing = routing;
  LoadedNetwork loaded{load_machine(scenario.platform, machine), scenario.platform, false, {}};
  loaded.endpoint = endpoint_costs(endpoint_properties(scenario), endpoint);
  const std::string model = loaded.network->description();
  if (model.starts_with(scenario.platform))
    loaded.text = model;  // perhaps with keys, which the file gives as properties
  else
    loaded.text += " = " + model;
  loaded.text += at_rates(scenario, format, {defaults.bandwidth, defaults.latency});
  return loaded;
}

/// A bare number is bytes per second, which is rarely meant.
void remark_missing_unit(const Scenario& scenario, Observer& observer) {
  const std::string& text = scenario.bandwidth.text();
  if (!parse_number(text) || !std::isfinite(*parse_number(text))) return;
  observer.remark(fmt::format("--bandwidth {} has no unit: it is {}; write {}GBps if that is meant",
                              text, format_bandwidth(*scenario.bandwidth), text));
}

LoadedNetwork network_as_built(const Scenario& scenario, const RoutingOptions& routing,
                               Observer& observer) {
  const Limits limits = parse_limits(scenario.limits);  // wrong ones are reported in any case
  if (!scenario.platform.empty()) return machine_from_file(scenario, routing, limits, observer);
  if (!(scenario.taper == Scenario().taper))
    throw UsageError(fmt::format(
        "--taper {} has no effect on --network {}: it is about Slurm's files; write the key taper "
        "or bandwidth of the network, such as \"fat-tree:2;4,4;1,2;1,2,taper=2\" (vtopo networks)",
        scenario.taper.text(), scenario.network));
  remark_missing_unit(scenario, observer);
  const NetworkDefaults defaults = link_defaults(scenario);
  LoadedNetwork loaded{make_network(scenario.network, defaults, routing), {}, false, {}};
  if (scenario.host_names && scenario.host_names->text().starts_with(node_map_prefix))
    check_node_map(read_node_map(scenario.host_names->text().substr(node_map_prefix.size())),
                   *loaded.network);
  loaded.endpoint = endpoint_costs(endpoint_properties(scenario), {});
  LinkRates rates{defaults.bandwidth, defaults.latency};
  loaded.text = loaded.network->description();
  // A description with one of these keys has it for all links, but those of a torus' hosts.
  if (loaded.text.find(",bandwidth=") != std::string::npos) rates.bandwidth.reset();
  if (loaded.text.find(",latency=") != std::string::npos) rates.latency.reset();
  loaded.text += at_rates(rates.bandwidth, rates.latency);
  return loaded;
}

NetworkEdits parse_edits(const Scenario& scenario) {
  NetworkEdits edits{scenario.fail_links, scenario.fail_hosts, {}};
  for (const auto& scaled : scenario.scale_bandwidth) edits.scaled.push_back(*scaled);
  return edits;
}

LoadedNetwork with_edits(const Scenario& scenario, const NetworkEdits& edits,
                         LoadedNetwork loaded) {
  if (scenario.simgrid_compatible) loaded.text += " with SimGrid's own routes";
  const ResolvedEdits resolved = resolve_edits(*loaded.network, edits);
  if (resolved.empty()) return loaded;
  loaded.failed_links = failed_link_flags(*loaded.network, resolved);
  loaded.network = apply_edits(std::move(loaded.network), resolved);
  loaded.text += ", " + in_words(resolved);
  loaded.edited = true;
  return loaded;
}

}  // namespace

LoadedNetwork load_network(const Scenario& scenario, Observer& observer) {
  const RoutingOptions routing = routing_of(scenario);
  if (scenario.network.empty() && scenario.platform.empty())
    throw UsageError("the interconnect is missing: give --network or --platform");
  const NetworkEdits edits = parse_edits(scenario);
  const auto edited = [&](const RoutingOptions& options) {
    return with_edits(scenario, edits, network_as_built(scenario, options, observer));
  };
  const auto by_traffic = [&](Routing rule) {
    LoadedNetwork loaded;
    auto network = make_traffic_routing(rule, [&](Routing part) {
      loaded = edited({part});
      return loaded.network;
    });
    loaded.network = std::move(network);
    return loaded;
  };
  if (depends_on_traffic(routing.rule)) return by_traffic(routing.rule);
  LoadedNetwork loaded = network_as_built(scenario, routing, observer);
  const Routing own = loaded.network->routing();  // of a file perhaps one that edits precede
  if (!depends_on_traffic(own)) return with_edits(scenario, edits, std::move(loaded));
  try {
    return by_traffic(own);
  } catch (const UsageError& error) {
    loaded = edited({Routing::simgrid});  // throws itself if no routing would take the edits
    observer.remark(fmt::format("routing simgrid instead of {}, which \"{}\" states: {}",
                                to_string(own), scenario.platform, error.what()));
    return loaded;
  }
}

}  // namespace vtopo
