#include <algorithm>
#include <functional>
#include <string_view>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view own_properties = "vtopo-";

/// What the properties of a network say, but those about the ends of messages.
struct Declaration {
  NetworkDefaults defaults;
  PlatformProperties machine = {};
  pugi::xml_node network_property = {};
  pugi::xml_node interface_property = {};  ///< the last of interfaces and the inside of hosts
};

/// Names of keys that every network accepts.
std::vector<std::string> interface_names() {
  std::vector<std::string> names;
  for (const NetworkKey& key : endpoint_keys()) names.push_back(key.name);
  return names;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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
        "vtopo-host-prefix, vtopo-host-suffix, vtopo-routing, vtopo-job-network; of hosts, vtopo-" +
        join(interface_names(), ", vtopo-") + "; of the ends of messages, vtopo-" +
        join(endpoint_property_names(), ", vtopo-"));
}

/// Whether a property of ours is about the ends of messages.
bool is_of_endpoint(std::string_view id) {
  const auto& names = endpoint_property_names();
  return std::find(names.begin(), names.end(), id.substr(own_properties.size())) != names.end();
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

/// @return nothing where no property is ours, but those about the ends of messages.
std::optional<Declaration> declaration(const PlatformFile& file) {
  Declaration declared;
  pugi::xml_node first;
  for (const auto property : top_zone(file).children("prop")) {
    const std::string_view id = property.attribute("id").value();
    if (!id.starts_with(own_properties) || is_of_endpoint(id)) continue;
    const bool is_interface = is_among(interface_names(), id.substr(own_properties.size()));
    if (is_interface) declared.interface_property = property;
    if (!first && !is_interface) first = property;
    if (id == "vtopo-network") declared.network_property = property;
    at_property(file, property, [&] { apply(id, property.attribute("value").value(), declared); });
  }
  if (declared.interface_property)
    at_property(file, declared.interface_property,
                [&] { interfaces_of("hosts:any" + declared.machine.interfaces); });
  if (!first && !declared.interface_property) return std::nullopt;
  if (first && !declared.network_property)
    throw input_error(file.position(first),
                      fmt::format("<prop id=\"{}\"> without <prop id=\"vtopo-network\">",
                                  first.attribute("id").value()));
  return declared;
}

}  // namespace

EndpointProperties declared_endpoint(const PlatformFile& file) {
  EndpointProperties properties;
  for (const auto property : top_zone(file).children("prop")) {
    const std::string_view id = property.attribute("id").value();
    if (id.starts_with(own_properties))
      at_property(file, property, [&] {
        set_endpoint_property(properties, id.substr(own_properties.size()),
                              property.attribute("value").value());
      });
  }
  return properties;
}

PlatformProperties declared_properties(const PlatformFile& file) {
  const auto declared = declaration(file);
  PlatformProperties properties = declared ? declared->machine : PlatformProperties();
  properties.endpoint = declared_endpoint(file);
  return properties;
}

std::shared_ptr<const Network> declared_network(const PlatformFile& file,
                                                const RoutingOptions& routing,
                                                const std::optional<std::string>& interfaces) {
  const auto declared = declaration(file);
  if (!declared || !declared->network_property) return nullptr;
  const std::string spec =
      declared->machine.network + interfaces.value_or(declared->machine.interfaces);
  std::shared_ptr<const Network> network;
  at_property(file, declared->network_property,
              [&] { network = make_network(spec, declared->defaults); });
  const bool other_rule = network->routing() != routing.rule;  // the user's, not the file's fault
  return other_rule ? make_network(spec, declared->defaults, routing) : network;
}

}  // namespace vtopo::detail
