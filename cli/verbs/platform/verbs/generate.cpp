#include <memory>
#include <string>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/machines/node_map.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

struct GenerateOptions {
  PlatformSource source;
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
  if (!properties.empty() && options.form != "property")
    throw UsageError("--property needs --form property");
  return properties;
}

int run_generate(GenerateOptions options) {
  options.source.properties = checked_properties(options);
  const auto form = parse_platform_form(options.form);
  check_output(options.output);
  NetworkDefaults defaults;
  defaults.bandwidth =
      read_option("bandwidth", [&] { return parse_link_bandwidth(options.source.bandwidth); });
  defaults.latency = read_option("latency", [&] { return parse_seconds(options.source.latency); });
  defaults.host_names = parse_host_names(options.source.host_names);
  const Routing routing = parse_routing(options.routing);
  const auto network = make_network(options.source.network, defaults, {routing});
  if (network->routing() != routing && routing != Routing::automatic)
    throw UsageError(fmt::format("routing \"{}\" is not known to {}; accepted: {}", options.routing,
                                 network->description(), to_string(network->routing())));
  if (options.source.host_names.starts_with(node_map_prefix))
    check_node_map(read_node_map(options.source.host_names.substr(node_map_prefix.size())),
                   *network);
  if (defaults.host_names && options.source.host_names.find(':') != std::string::npos)
    options.source.host_names = join(*defaults.host_names, ",");
  const GeneratedPlatform platform = generate_platform(*network, options.source, form);
  write_output(options.output, platform.xml);
  say(platform.sentence);
  return 0;
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

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
      "  vtopo platform generate --network torus:4x4 --form explicit         # to standard output";
  verb.offer(
      verb.add("--network", &options->source.network,
               "specification such as torus:8x8x8 or fat-tree:2;4,4;1,2;1,2 (see vtopo networks)")
          ->required(),
      network_words());
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
  verb.add("--property", &options->properties,
           "NAME=VALUE of --form property, such as injection=25GBps/1us; may be repeated");
  verb.add("--comment", &options->source.comments,
           "line for the head of the file; may be repeated");
  verb.add("-o,--output", &options->output, "file to write, or - for standard output");
  verb.run = [options](const Invocation&) { return run_generate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
