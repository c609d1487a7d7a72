#include "netmodels/platform/platform.hpp"

#include <string_view>

#include "netmodels/endpoints/endpoint_network.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/no_detours.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "netmodels/platform/platform_ignored.hpp"
#include "netmodels/platform/platform_network.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/load_routing/split_shortest.hpp"

namespace vtopo {

using namespace detail;

namespace {

void check_clusters_for_simgrid(const PlatformFile& file, pugi::xml_node element) {
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    if (name == "cluster" || name == "cabinet") check_cluster_for_simgrid(file, child);
    check_clusters_for_simgrid(file, child);
  }
}

void check_routing(const std::string& path, const PlatformOptions& options, Routing rule) {
  if (rule == Routing::simgrid || rule == Routing::ecmp) return;
  const auto sentence = fmt::format(
      "routing \"{}\" for \"{}\": platform files have the routes that SimGrid computes{}; "
      "accepted: simgrid, ecmp (all routes with the fewest links)",
      to_string(rule), path,
      options.simgrid_compatible ? "" : " unless they are one torus, fat tree or dragonfly");
  if (rule == Routing::valiant) throw NoDetours(sentence);
  throw UsageError(sentence);
}

/// The rule of a file itself, unless there is another one.
Routing rule_of(const PlatformFile& file, Routing rule) {
  if (rule != Routing::automatic) return rule;
  return declared_properties(file).routing.value_or(Routing::simgrid);
}

std::shared_ptr<const Network> network_of(const std::string& path, const PlatformFile& file,
                                          const PlatformOptions& options, Routing rule) {
  if (auto network = declared_network(file, {rule}, options.interfaces)) return network;
  const std::string interfaces = options.interfaces.value_or(declared_properties(file).interfaces);
  if (!options.simgrid_compatible)
    if (const auto cluster = closed_form_cluster(file))
      return make_network(cluster->spec + interfaces, cluster->defaults, {rule});
  check_routing(path, options, rule);
  check_clusters_for_simgrid(file, file.document.child("platform"));
  auto network = make_platform_network(file, options);
  if (rule == Routing::ecmp) network = split_over_shortest(std::move(network));
  return make_endpoint_network(std::move(network), interfaces_of("hosts:any" + interfaces));
}

std::string platform_text(const Network& network) {
  const NetworkDefaults& defaults = *network.description_defaults();
  const PlatformSource source{network.description(),
                              fmt::format("{}Bps", defaults.bandwidth.value),
                              fmt::format("{}s", defaults.latency.value),
                              {}};
  return generate_platform(network, source, std::nullopt).xml;
}

}  // namespace

extern "C" {
/// Named by the link options of vtopo::platform: without them the linker would leave out this
/// object, which the core does not name.
extern const bool vtopo_platform_files;
const bool vtopo_platform_files = (register_platform_files({load_platform, platform_text}), true);
}

PlatformProperties read_platform_properties(const std::string& path) {
  return declared_properties(read_platform_file(path));
}

std::shared_ptr<const Network> load_platform(const std::string& path,
                                             const PlatformOptions& options) {
  const PlatformFile file = read_platform_file(path);
  if (const std::string ignored = ignored_in_words(file); options.remark && !ignored.empty())
    options.remark(ignored);
  const EndpointProperties endpoint = declared_endpoint(file);
  if (options.endpoint) options.endpoint(endpoint);
  const Routing rule = rule_of(file, options.routing);
  const auto by_rule = [&](Routing one) { return network_of(path, file, options, one); };
  return depends_on_traffic(rule) ? make_traffic_routing(rule, by_rule) : by_rule(rule);
}

}  // namespace vtopo
