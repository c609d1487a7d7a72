#include <algorithm>
#include <functional>
#include <string_view>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

constexpr std::string_view own_properties = "vtopo-";

/// Keys of every network that are properties, too.
const std::vector<std::string>& interface_property_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const NetworkKey& key : endpoint_keys()) list.push_back(key.name);
    return list;
  }();
  return names;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What a `<prop>` sets.
void apply(std::string_view id, std::string_view value, std::string& spec,
           NetworkDefaults& defaults) {
  if (id == "vtopo-network")
    spec = value;
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
        "vtopo-host-prefix, vtopo-host-suffix; of interfaces and the inside of hosts vtopo-" +
        join(interface_property_names(), ", vtopo-") + "; of the ends of messages vtopo-" +
        join(endpoint_property_names(), ", vtopo-"));
}

/// Whether a property of ours is about the ends of messages, interfaces or the inside of hosts.
bool is_of_endpoint(std::string_view id) {
  const auto name = id.substr(own_properties.size());
  return is_among(endpoint_property_names(), name) || is_among(interface_property_names(), name);
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

std::string declared_interfaces(const PlatformFile& file) {
  std::string keys;
  const auto take = [&](bool are_choices) {
    for (const auto property : top_zone(file).children("prop"))
      for (const NetworkKey& key : endpoint_keys()) {
        if (property.attribute("id").value() != std::string(own_properties) + key.name ||
            key.choices.empty() == are_choices)
          continue;
        keys += fmt::format(",{}={}", key.name, property.attribute("value").value());
        at_property(file, property, [&] { interfaces_of("hosts:any" + keys); });
      }
  };
  take(false);
  take(true);  // what can be chosen depends on the others
  return keys;
}

std::shared_ptr<const Network> declared_network(const PlatformFile& file,
                                                const RoutingOptions& routing) {
  std::string spec;
  NetworkDefaults defaults;
  pugi::xml_node network_property, first;
  for (const auto property : top_zone(file).children("prop")) {
    const std::string_view id = property.attribute("id").value();
    if (!id.starts_with(own_properties) || is_of_endpoint(id)) continue;
    if (!first) first = property;
    if (id == "vtopo-network") network_property = property;
    at_property(file, property,
                [&] { apply(id, property.attribute("value").value(), spec, defaults); });
  }
  if (!first) return nullptr;
  if (!network_property)
    throw input_error(file.position(first),
                      fmt::format("<prop id=\"{}\"> without <prop id=\"vtopo-network\">",
                                  first.attribute("id").value()));
  spec += declared_interfaces(file);
  std::shared_ptr<const Network> network;
  at_property(file, network_property, [&] { network = make_network(spec, defaults); });
  const bool other_rule = network->routing() != routing.rule;  // the user's, not the file's fault
  return other_rule ? make_network(spec, defaults, routing) : network;
}

}  // namespace vtopo
