#include "netmodels/platform/platform.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/machines/platform_files.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "netmodels/platform/distances.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "netmodels/platform/platform_network.hpp"
#include "netmodels/platform/platform_text.hpp"
#include "netmodels/platform/split_shortest.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view own_properties = "vtopo-";
constexpr std::string_view unknown_names = "unknown";  // of hosts

/// Names of keys that every network accepts.
std::vector<std::string> interface_names() {
  std::vector<std::string> names;
  for (const NetworkKey& key : endpoint_keys()) names.push_back(key.name);
  return names;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is said of a machine in any file with a zone.
/// @return whether the property is of this kind.
bool set_machine_property(std::string_view id, std::string_view value,
                          PlatformProperties& machine) {
  const auto text = [&] {
    if (trim(value).empty()) throw UsageError("accepted is a sentence");
    return std::string(trim(value));
  };
  constexpr std::string_view of_process = "vtopo-process-";
  const std::string_view process = id.substr(std::min(of_process.size(), id.size()));
  if (id.starts_with(of_process) && (process == "injection" || process == "extraction")) {
    const std::string key = fmt::format(",{}={}", process, value);
    interfaces_of("hosts:any" + key);  // refuses what is none
    machine.process_interfaces += key;
  } else if (id == "vtopo-machine")
    machine.title = text();
  else if (id == "vtopo-assumes")
    machine.assumptions.push_back(text());
  else if (id == "vtopo-host-names" && value == unknown_names)
    machine.knows_host_names = false;
  else
    return set_endpoint_property(machine.endpoint, id.substr(own_properties.size()), value);
  return true;
}

/// What a `<prop>` sets.
void apply(std::string_view id, std::string_view value, Declaration& declared) {
  NetworkDefaults& defaults = declared.defaults;
  const std::string_view name = id.substr(own_properties.size());
  if (id == "vtopo-network")
    declared.machine.network = value;
  else if (is_among(interface_names(), name))
    declared.machine.interfaces += fmt::format(",{}={}", name, value);
  else if (id == "vtopo-routing")
    declared.machine.routing = parse_routing(value);
  else if (id == "vtopo-job-network")
    declared.machine.job_network = value;
  else if (id == "vtopo-bandwidth")
    defaults.bandwidth = parse_bandwidth(value);
  else if (id == "vtopo-latency")
    defaults.latency = parse_seconds(value);
  else if (id == "vtopo-host-prefix")
    defaults.host_prefix = value;
  else if (id == "vtopo-host-suffix")
    defaults.host_suffix = value;
  else if (id == "vtopo-host-names")
    defaults.host_names = listed_host_names(std::string(value));
  else
    throw UsageError(
        "accepted are vtopo-network, vtopo-bandwidth, vtopo-latency, vtopo-host-names, "
        "vtopo-host-prefix, vtopo-host-suffix, vtopo-routing, vtopo-job-network, vtopo-machine, "
        "vtopo-assumes, vtopo-process-injection, vtopo-process-extraction; of hosts, vtopo-" +
        join(interface_names(), ", vtopo-") + "; of the ends of messages, vtopo-" +
        join(endpoint_property_names(), ", vtopo-"));
}

/// Runs `work`; a wrong value becomes an error at the property.
void at_property(const PlatformFile& file, pugi::xml_node property,
                 const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    throw input_error(
        file.position(property),
        fmt::format("<prop id=\"{}\" value=\"{}\">: {}", property.attribute("id").value(),
                    property.attribute("value").value(), error.what()));
  }
}

pugi::xml_node top_zone(const PlatformFile& file) {
  const auto platform = file.document.child("platform");
  return platform.child("zone") ? platform.child("zone") : platform.child("AS");
}

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

std::shared_ptr<const Network> network_of(const PlatformFile& file, const Declaration& declared,
                                          const PlatformOptions& options, Routing rule) {
  const std::string interfaces = options.interfaces.value_or(declared.machine.interfaces);
  if (auto network = declared_network(file, declared, {rule}, interfaces)) return network;
  if (!options.simgrid_compatible)
    if (auto cluster = closed_form_cluster(file)) {
      if (options.host_names) cluster->defaults.host_names = options.host_names;
      return make_network(cluster->spec + interfaces, cluster->defaults, {rule});
    }
  check_routing(file.path, options, rule);
  check_clusters_for_simgrid(file, file.document.child("platform"));
  auto network = with_host_names(make_platform_network(file, options), options.host_names);
  if (rule == Routing::ecmp) network = split_over_shortest(std::move(network));
  return make_endpoint_network(std::move(network), interfaces_of("hosts:any" + interfaces));
}

std::string written_platform(const Network& network) {
  const NetworkDefaults& defaults = *network.description_defaults();
  const PlatformSource source{network.description(),
                              fmt::format("{}Bps", defaults.bandwidth.value),
                              fmt::format("{}s", defaults.latency.value),
                              {}};
  return generate_platform(network, source, std::nullopt).xml;
}

}  // namespace

/// Named by the link options of vtopo::platform: without them the linker would leave out this
/// object, which the core does not name.
constinit const PlatformFiles detail::vtopo_platform_files{load_platform, written_platform,
                                                           matrix_networks};

Declaration detail::read_declaration(const PlatformFile& file) {
  Declaration declared;
  pugi::xml_node first;      // of the network, but for its interfaces
  pugi::xml_node interface;  // the last of interfaces and the inside of hosts
  for (const auto property : top_zone(file).children("prop")) {
    const std::string_view id = property.attribute("id").value();
    if (!id.starts_with(own_properties)) continue;
    const std::string_view name = id.substr(own_properties.size());
    const std::string_view value = property.attribute("value").value();
    at_property(file, property, [&] {
      if (set_machine_property(id, value, declared.machine)) return;
      if (is_among(interface_names(), name))
        interface = property;
      else if (!first)
        first = property;
      if (id == "vtopo-network") declared.network_property = property;
      apply(id, value, declared);
    });
  }
  if (interface)
    at_property(file, interface, [&] { interfaces_of("hosts:any" + declared.machine.interfaces); });
  if (first && !declared.network_property)
    throw input_error(file.position(first),
                      fmt::format("<prop id=\"{}\"> without <prop id=\"vtopo-network\">",
                                  first.attribute("id").value()));
  const NetworkDefaults& names = declared.defaults;
  if (declared.network_property && !names.host_names && names.host_prefix == "host-")
    declared.machine.knows_host_names = false;
  return declared;
}

std::shared_ptr<const Network> detail::declared_network(const PlatformFile& file,
                                                        const Declaration& declared,
                                                        const RoutingOptions& routing,
                                                        const std::string& interfaces) {
  if (!declared.network_property) return nullptr;
  const std::string spec = declared.machine.network + interfaces;
  std::shared_ptr<const Network> network;
  at_property(file, declared.network_property,
              [&] { network = make_network(spec, declared.defaults); });
  const bool other_rule = network->routing() != routing.rule;  // the user's, not the file's fault
  return other_rule ? make_network(spec, declared.defaults, routing) : network;
}

PlatformProperties read_platform_properties(const std::string& path) {
  return read_declaration(read_platform_file(path)).machine;
}

std::shared_ptr<const Network> load_platform(const std::string& path,
                                             const PlatformOptions& options) {
  const PlatformFile file = read_platform_file(path);
  if (const std::string ignored = ignored_in_words(file); options.remark && !ignored.empty())
    options.remark(ignored);
  Declaration declared = read_declaration(file);
  if (options.host_names) declared.defaults.host_names = options.host_names;
  if (options.properties) options.properties(declared.machine);
  const Routing rule = options.routing == Routing::automatic
                           ? declared.machine.routing.value_or(Routing::simgrid)
                           : options.routing;
  const auto by_rule = [&](Routing one) { return network_of(file, declared, options, one); };
  return depends_on_traffic(rule) ? make_traffic_routing(rule, by_rule) : by_rule(rule);
}

}  // namespace vtopo
