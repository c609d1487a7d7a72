#include <algorithm>
#include <array>

#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/dtd.hpp"
#include "netmodels/platform/lint/renamed.hpp"

namespace vtopo::detail::lint {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Those have a rule of their own.
bool is_of_network_model(pugi::xml_node property) {
  return is_one_of(property.attribute("id").value(),
                   {"network/model", "network/latency-factor", "network/bandwidth-factor",
                    "network/crosstraffic", "network/weight-S"});
}

bool has_other_settings(pugi::xml_node config) {
  const auto properties = config.children("prop");
  return properties.begin() == properties.end() ||
         !std::all_of(properties.begin(), properties.end(), is_of_network_model);
}

void check_refused(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  if (name == "config" && has_other_settings(element))
    findings.add("config", element, element.attribute("id").value(),
                 "<config> changes the simulator, and can create or truncate files; vtopo ignores "
                 "it",
                 "nothing here; --network-model of vtopo, --cfg of SimGrid");
  if (is_one_of(name, {"trace", "trace_connect"}))
    findings.add("opens-file", element, element.attribute("file").value(),
                 fmt::format("<{}> changes resources over time, and may open a file; vtopo "
                             "ignores it",
                             name),
                 "nothing");
  if (is_one_of(name, {"actor", "process"}))
    findings.add("actor", element, element.attribute("function").value(),
                 fmt::format("<{}> belongs into a deployment file; vtopo refuses it", name),
                 "nothing here");
  if (is_one_of(name, {"include", "random", "storage_type", "storage", "mount"}))
    findings.add("removed-element", element, name,
                 fmt::format("<{}> is gone from SimGrid 3.32, which aborts on it", name),
                 name == "include" ? "the content of the file" : "nothing");
}

void check_deprecated(Findings& findings, pugi::xml_node element) {
  const std::string& instead = dtd_element(element.name())->instead;
  if (!instead.empty())
    findings.add("deprecated", element, element.name(),
                 fmt::format("<{}> is the old name of <{}>", element.name(), instead),
                 "<" + instead + ">");
  const auto sharing = element.attribute("sharing_policy");
  if (std::string_view(sharing.value()) == "FULLDUPLEX")
    findings.add("deprecated", element, sharing, "FULLDUPLEX is the old name of SPLITDUPLEX",
                 "SPLITDUPLEX");
  if (std::string_view(element.name()) == "peer" && element.attribute("lat"))
    findings.add("deprecated", element, element.attribute("lat"),
                 "SimGrid ignores the latency of a <peer>", "the third of its coordinates");
}

void check_files(Findings& findings, pugi::xml_node element) {
  for (const auto attribute : element.attributes())
    if (std::string_view(attribute.name()).ends_with("_file"))
      findings.add("opens-file", element, attribute,
                   fmt::format("{}={} would open another file; vtopo ignores it",
                               shortened(attribute.name()), in_quotes(attribute.value())),
                   "nothing");
}

void check_routing(Findings& findings, pugi::xml_node zone) {
  const auto attribute = zone.attribute("routing");
  const std::string routing = lower(shortened(attribute.value()));
  if (!attribute || is_one_of(routing, {"full", "floyd", "dijkstra", "dijkstracache", "none",
                                        "vivaldi", "cluster", "wifi"}))
    return;
  const std::array<std::string, 8> known{"Full", "Floyd",   "Dijkstra", "DijkstraCache",
                                         "None", "Vivaldi", "Cluster",  "Wifi"};
  const bool topology = routing.find("torus") != std::string::npos ||
                        routing.find("tree") != std::string::npos ||
                        routing.find("dragonfly") != std::string::npos;
  findings.add("unknown-routing", zone, attribute,
               fmt::format("routing={} is none that SimGrid knows", in_quotes(attribute.value())),
               topology ? "<cluster topology=\"TORUS|FAT_TREE|DRAGONFLY\" topo_parameters=\"...\">"
                        : known_name(attribute.value(), known));
}

/// Elements that SimGrid ignores, or does not survive, outside of zones of one kind.
void check_zone_around(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::string routing = lower(shortened(element.parent().attribute("routing").value()));
  if (name == "peer" && routing != "vivaldi")
    findings.add("zone-of-peer", element, element.attribute("id").value(),
                 "a <peer> outside of a Vivaldi zone: SimGrid aborts",
                 "<zone routing=\"Vivaldi\"> around it, or a <host>");
  if (name == "cabinet" && routing != "cluster")
    findings.add("zone-of-cabinet", element, element.attribute("id").value(),
                 "a <cabinet> outside of a Cluster zone: SimGrid crashes or forgets its hosts",
                 "<zone routing=\"Cluster\"> around it, or a <cluster>");
  if (is_one_of(name, {"zone", "AS", "cluster", "cabinet"}) && routing == "vivaldi")
    findings.add("missing-coordinates", element, element.attribute("id").value(),
                 fmt::format("a <{}> in a Vivaldi zone has no coordinates and cannot have any: "
                             "SimGrid aborts on every message that enters or leaves it",
                             name),
                 "<peer> and <host> with coordinates, or another routing around the zones");
  if (is_one_of(name, {"host_link", "backbone"}) && routing != "cluster")
    findings.add("ignored-element", element, element.attribute("id").value(),
                 fmt::format("SimGrid ignores a <{}> outside of a Cluster zone", name),
                 "<zone routing=\"Cluster\">, or <link> and <route>");
}

/// Settings that change what times mean.
void check_network_model(Findings& findings, pugi::xml_node property) {
  const std::string_view id = property.attribute("id").value();
  if (std::string_view(property.parent().name()) != "config") return;
  if (is_of_network_model(property))
    findings.add(
        "network-model", property, property.attribute("value"),
        fmt::format("{}={}: SimGrid's default model LV08 multiplies latencies by 13.01 and "
                    "bandwidths by 0.97 and adds 5 % cross traffic",
                    id, in_quotes(property.attribute("value").value())),
        "nothing here; say --network-model where the numbers are reported");
}

}  // namespace

bool is_air(pugi::xml_node link) {
  return std::string_view(link.name()) == "link" &&
         std::string_view(link.attribute("sharing_policy").value()) == "WIFI" &&
         lower(shortened(link.parent().attribute("routing").value())) == "wifi";
}

void check_element_kind(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  check_refused(findings, element);
  check_deprecated(findings, element);
  check_files(findings, element);
  check_zone_around(findings, element);
  if (name == "zone" || name == "AS") check_routing(findings, element);
  if (name == "prop") check_network_model(findings, element);
  const auto sharing = element.attribute("sharing_policy");
  if (name == "link" && std::string_view(sharing.value()) == "WIFI")
    findings.add("wireless", element, sharing,
                 "a wireless link: vtopo gives all stations its first bandwidth, shared",
                 "SPLITDUPLEX, SHARED or FATPIPE if it is not wireless");
}

}  // namespace vtopo::detail::lint
