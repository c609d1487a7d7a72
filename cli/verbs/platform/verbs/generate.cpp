#include <memory>
#include <string>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/node_map.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

struct GenerateOptions {
  PlatformSource source;
  Scenario machine;  ///< platform file and edits
  std::string routing = "auto";
  std::string form = "auto";
  std::string output = "-";
  std::vector<std::string> properties;  ///< `NAME=VALUE`
};

/// The properties as a file of them is read.
std::vector<std::pair<std::string, std::string>> checked_properties(
    const GenerateOptions& options) {
  std::vector<std::pair<std::string, std::string>> properties;
  for (const std::string& text : options.properties) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw UsageError(
          fmt::format("--property {}: expected NAME=VALUE, such as overhead=1us", text));
    properties.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return properties;
}

/// The network of a specification as it is.
std::shared_ptr<const Network> specified_network(GenerateOptions& options) {
  NetworkDefaults defaults;
  defaults.bandwidth =
      read_option("bandwidth", [&] { return parse_link_bandwidth(options.source.bandwidth); });
  defaults.latency = read_option("latency", [&] { return parse_seconds(options.source.latency); });
  defaults.host_names = parse_host_names(options.source.host_names);
  const Routing routing = parse_routing(options.routing);
  auto network = make_network(options.source.network, defaults, {routing});
  if (network->routing() != routing && routing != Routing::automatic)
    throw UsageError(fmt::format("routing \"{}\" is not known to {}; accepted: {}", options.routing,
                                 network->description(), to_string(network->routing())));
  if (options.source.host_names.starts_with(node_map_prefix))
    check_node_map(read_node_map(options.source.host_names.substr(node_map_prefix.size())),
                   *network);
  if (defaults.host_names && options.source.host_names.find(':') != std::string::npos)
    options.source.host_names = join(*defaults.host_names, ",");
  return network;
}

/// What a platform file says of the machine beside its links and routes is not in the new file.
void remark_lost_properties(const std::string& platform) {
  if (machine_format_of(platform) != MachineFormat::simgrid) return;
  const PlatformProperties said = read_platform_properties(platform);
  const EndpointProperties& ends = said.endpoint;
  if (!said.assumptions.empty() || ends.overhead || ends.gap || ends.eager_limit ||
      ends.handshake || ends.memory_bandwidth || ends.reduction_bandwidth)
    say("the properties vtopo-... of " + platform +
        " are left out; --property NAME=VALUE writes one");
}

/// The network of a platform file, or of a specification with edits. It has no specification, so
/// that the source names none.
std::shared_ptr<const Network> changed_network(GenerateOptions& options) {
  Scenario& scenario = options.machine;
  PlatformSource& source = options.source;
  const auto set = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) scenario_option(name).set(scenario, value);
  };
  set("network", source.network);
  set("bandwidth", source.bandwidth);
  set("latency", source.latency);
  set("host-names", source.host_names);
  set("routing", options.routing);
  if (!scenario.fail_hosts.empty())
    throw UsageError(
        "--fail-host: a platform file has a route for every two hosts; accepted: --fail-link, "
        "--scale-bandwidth");
  const LoadedNetwork loaded = load_network(scenario, console());
  if (!scenario.platform.empty()) remark_lost_properties(scenario.platform);
  source.network = loaded.text;
  source.bandwidth.clear();
  source.latency.clear();
  return loaded.network;
}

int run_generate(GenerateOptions options) {
  const Scenario& machine = options.machine;
  if (options.source.network.empty() == machine.platform.empty())
    throw UsageError(options.source.network.empty()
                         ? "the interconnect is missing: give --network or --platform"
                         : "the interconnect is given twice: accepted is one of --network and "
                           "--platform");
  options.source.properties = checked_properties(options);
  const auto form = parse_platform_form(options.form);
  check_output(options.output);
  const bool changed = !machine.platform.empty() || !machine.fail_links.empty() ||
                       !machine.fail_hosts.empty() || !machine.scale_bandwidth.empty();
  const auto network = changed ? changed_network(options) : specified_network(options);
  const GeneratedPlatform platform = generate_platform(*network, options.source, form);
  write_output(options.output, platform.xml);
  say(platform.sentence);
  return 0;
}

}  // namespace

Verb platform_generate() {
  auto options = std::make_shared<GenerateOptions>();
  Verb verb{"generate", "write a network as a SimGrid platform file (DTD 4.1)"};
  verb.examples =
      "Examples:\n"
      "  vtopo platform generate --network torus:8x8x8 --routing simgrid -o torus.xml  # a "
      "cluster\n"
      "  vtopo platform generate --network torus:4x4x4m -o mesh.xml          # explicit routes\n"
      "  vtopo platform generate --network 'dragonfly:9,4;6,3;16,1;4' --bandwidth 5.25GBps "
      "--latency 90ns -o theta.xml\n"
      "  vtopo platform generate --network torus:4x4 --form explicit         # to standard output\n"
      "  vtopo platform generate --platform platforms/two-rooms.xml --scale-bandwidth 'attic*=0.5' "
      "-o slow-attic.xml";
  verb.offer(
      verb.add("--network", &options->source.network,
               "specification such as torus:8x8x8 or fat-tree:2;4,4;1,2;1,2 (see vtopo networks)"),
      network_words());
  for (const char* name : {"platform", "fail-link", "fail-host", "scale-bandwidth"})
    add_scenario_option(verb, options->machine, name);
  verb.add("--bandwidth", &options->source.bandwidth, "of every link, per direction");
  verb.add("--latency", &options->source.latency, "of every link");
  verb.add("--host-names", &options->source.host_names,
           "names of the hosts in the order of their ids: a list of Slurm such as node[001-128], "
           "file:FILE with a name per line, or map:FILE with the place of each node");
  verb.offer(
      verb.add(
          "--routing", &options->routing,
          "rule that chooses among the routes; not one that splits flows. A cluster has simgrid; "
          "auto: on tori half rings by the parity of the source's coordinate, else simgrid"),
      {"auto", "ecmp", "positive", "simgrid", "split", "valiant"});
  verb.offer(verb.add("--form", &options->form,
                      "cluster: SimGrid's own; explicit: all links and routes; property: the "
                      "specification, for vtopo alone; auto: the first of these that fits"),
             {"auto", "cluster", "explicit", "property"});
  verb.add(
      "--property", &options->properties,
      "NAME=VALUE for a vtopo-NAME of the file, such as overhead=1us or assumes=SENTENCE, or of "
      "--form property such as injection=25GBps/1us; may be repeated");
  verb.add("--comment", &options->source.comments,
           "line for the head of the file; may be repeated");
  verb.add("-o,--output", &options->output, "file to write, or - for standard output");
  verb.run = [options](const Invocation&) { return run_generate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
