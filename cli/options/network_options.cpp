#include "cli/options/network_options.hpp"

#include <cmath>

#include "cli/options/option_words.hpp"
#include "cli/output/progress.hpp"
#include "netmodels/edits/network_edits.hpp"
#include "netmodels/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

void add_edit_options(Verb& verb, NetworkOptions& options) {
  verb.group("What if: the interconnect with changes, each as often as you like");
  const auto add = [&](const char* option, std::vector<std::string>& list, const char* argument,
                       const char* help) { verb.add(option, &list, help).called(argument); };
  add("--fail-link", options.fail_links, "NAME",
      "link out of order, one direction; flows are led around it. A name, or a pattern with *");
  add("--fail-host", options.fail_hosts, "NAME",
      "host out of order, with all links at it. A name, or a pattern with *");
  add("--scale-bandwidth", options.scale_bandwidth, "PATTERN=0.5",
      "multiply the bandwidth of the links whose names fit the pattern");
}

RoutingOptions routing_of(const NetworkOptions& options) {
  const Routing rule = parse_routing(options.routing);
  if (options.simgrid_compatible && rule != Routing::simgrid)
    throw UsageError(
        fmt::format("--simgrid-compatible takes the routes of SimGrid, --routing {} takes others",
                    options.routing));
  return {rule, options.simgrid_compatible};
}

NetworkDefaults link_defaults(const NetworkOptions& options) {
  NetworkDefaults defaults;
  defaults.bandwidth = parse_bandwidth(options.bandwidth);
  defaults.latency = parse_seconds(options.latency);
  return defaults;
}

double parse_taper(const std::string& text) {
  const auto taper = parse_number(text);
  if (!taper || !(*taper >= 1) || !std::isfinite(*taper))
    throw UsageError(fmt::format("taper \"{}\": accepted is a finite number >= 1", text));
  return *taper;
}

/// Refuses options about cables with files that know their cables.
void check_cable_options(const NetworkOptions& options, MachineFormat format) {
  const NetworkOptions defaults;
  const bool slurm = format == MachineFormat::slurm_conf || format == MachineFormat::slurm_yaml;
  const auto check = [&](const char* option, bool given, bool fits) {
    if (given && !fits)
      throw UsageError(
          fmt::format("{} does not go with \"{}\", which has its own", option, options.platform));
  };
  check("--bandwidth", options.bandwidth != defaults.bandwidth, slurm);
  check("--latency", options.latency != defaults.latency, format != MachineFormat::simgrid);
  check("--taper", options.taper != defaults.taper, slurm);
}

/// ` at 10 GB/s and 100 ns per link`, of what is given.
std::string at_rates(std::optional<BytesPerSecond> bandwidth, std::optional<Seconds> latency) {
  std::string text;
  if (bandwidth) text += " at " + format_bandwidth(*bandwidth);
  if (latency) text += (bandwidth ? " and " : " at ") + format_seconds(*latency);
  return text.empty() ? text : text + " per link";
}

/// The rates that a file of this format leaves to the options.
std::string at_rates(const NetworkOptions& options, MachineFormat format, const LinkRates& given) {
  if (format == MachineFormat::simgrid) return {};
  if (format == MachineFormat::ibnetdiscover) return at_rates({}, given.latency);
  return fmt::format(" at {} per host and {} per link, taper {}",
                     format_bandwidth(*given.bandwidth), format_seconds(*given.latency),
                     options.taper);
}

LoadedNetwork machine_from_file(const NetworkOptions& options, const RoutingOptions& routing,
                                const ChildLimits& limits) {
  const MachineFormat format = options.platform_format.empty()
                                   ? machine_format_of(options.platform)
                                   : parse_machine_format(options.platform_format);
  check_cable_options(options, format);
  const NetworkDefaults defaults = link_defaults(options);
  ProgressBar bar("loading " + options.platform);
  MachineOptions machine;
  machine.format = format;
  machine.platform = {options.simgrid_compatible, routing.rule, bar.callback(), limits};
  machine.cables = {defaults.bandwidth, defaults.latency, parse_taper(options.taper)};
  machine.routing = routing;
  LoadedNetwork loaded{load_machine(options.platform, machine), options.platform, false, {}};
  const std::string model = loaded.network->description();
  if (model != options.platform) loaded.text += " = " + model;
  loaded.text += at_rates(options, format, {defaults.bandwidth, defaults.latency});
  return loaded;
}

LoadedNetwork network_as_built(const NetworkOptions& options, const RoutingOptions& routing) {
  const ChildLimits limits = parse_limits(options.limits);  // wrong ones are told in any case
  if (!options.platform.empty()) return machine_from_file(options, routing, limits);
  const NetworkDefaults defaults = link_defaults(options);
  LoadedNetwork loaded{make_network(options.network, defaults, routing), {}, false, {}};
  LinkRates rates{defaults.bandwidth, defaults.latency};
  loaded.text = loaded.network->description();
  // A description with one of these keys has it for all links, but those of a torus' hosts.
  if (loaded.text.find(",bandwidth=") != std::string::npos) rates.bandwidth.reset();
  if (loaded.text.find(",latency=") != std::string::npos) rates.latency.reset();
  loaded.text += at_rates(rates.bandwidth, rates.latency);
  return loaded;
}

NetworkEdits parse_edits(const NetworkOptions& options) {
  NetworkEdits edits{options.fail_links, options.fail_hosts, {}};
  for (const std::string& text : options.scale_bandwidth)
    edits.scaled.push_back(parse_scaled_links(text));
  return edits;
}

}  // namespace

void add_network_options(Verb& verb, NetworkOptions& options) {
  verb.group("Host: the interconnect");
  verb.add("--network", &options.network,
           "specification such as torus:8x8x8 or fat-tree:2;4,4;1,2;1,2 (see vtopo networks)")
      .excludes("--platform")
      .takes(network_words());
  verb.add("--bandwidth", &options.bandwidth, "of every link, per direction");
  verb.add("--latency", &options.latency, "of every link");
  verb.add("--platform", &options.platform,
           "file that describes the machine: SimGrid platform (XML), "
           "Slurm's topology.conf or topology.yaml, output of ibnetdiscover");
  verb.add("--platform-format", &options.platform_format,
           "simgrid, slurm, slurm-yaml or ibnetdiscover (default: by "
           "extension and content)")
      .needs("--platform");
  verb.add("--taper", &options.taper,
           "of Slurm's trees: what a switch has below over what it has above")
      .needs("--platform");
  verb.add("--simgrid-compatible", &options.simgrid_compatible,
           "take SimGrid's own routes also for its clusters in platform "
           "files, and of dragonflies also where they are wrong");
  verb.add("--routing", &options.routing,
           "simgrid: the one route of SimGrid; positive: the positive way at half a ring; "
           "split: half of a flow each way there; ecmp: evenly over all shortest routes; "
           "valiant: by way of a random intermediate")
      .takes({"ecmp", "positive", "simgrid", "split", "valiant"});
  add_edit_options(verb, options);
}

std::vector<std::pair<std::string, std::string>> described(const NetworkOptions& options) {
  std::vector<std::pair<std::string, std::string>> result;
  if (!options.network.empty()) {
    result.emplace_back("network", options.network);
    result.emplace_back("bandwidth", options.bandwidth);
    result.emplace_back("latency", options.latency);
  } else {
    result.emplace_back("platform", options.platform);
    if (!options.platform_format.empty())
      result.emplace_back("platform-format", options.platform_format);
    const NetworkOptions defaults;
    if (options.bandwidth != defaults.bandwidth)
      result.emplace_back("bandwidth", options.bandwidth);
    if (options.latency != defaults.latency) result.emplace_back("latency", options.latency);
    if (options.taper != defaults.taper) result.emplace_back("taper", options.taper);
  }
  if (options.simgrid_compatible) result.emplace_back("simgrid-compatible", "true");
  result.emplace_back("routing", options.routing);
  for (const auto& name : options.fail_links) result.emplace_back("fail-link", name);
  for (const auto& name : options.fail_hosts) result.emplace_back("fail-host", name);
  for (const auto& text : options.scale_bandwidth) result.emplace_back("scale-bandwidth", text);
  return result;
}

LoadedNetwork load_network(const NetworkOptions& options) {
  const RoutingOptions routing = routing_of(options);
  if (options.network.empty() && options.platform.empty())
    throw UsageError("the interconnect is missing: give --network or --platform");
  const NetworkEdits edits = parse_edits(options);
  LoadedNetwork loaded = network_as_built(options, routing);
  if (options.simgrid_compatible) loaded.text += " with SimGrid's own routes";
  const ResolvedEdits resolved = resolve_edits(*loaded.network, edits);
  if (resolved.empty()) return loaded;
  loaded.failed_links = failed_link_flags(*loaded.network, resolved);
  loaded.network = apply_edits(std::move(loaded.network), resolved);
  loaded.text += ", " + in_words(resolved);
  loaded.edited = true;
  return loaded;
}

}  // namespace vtopo
