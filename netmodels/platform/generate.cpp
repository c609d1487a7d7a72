#include "netmodels/platform/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate_groups.hpp"
#include "netmodels/platform/generate_zones.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

using Units = std::span<const std::pair<std::string_view, double>>;

/// The first unit in which a short number is exactly the value again after SimGrid's (and vtopo's)
/// multiplication; the last unit is 1.
std::string exact_quantity(double value, Units units) {
  for (const auto& [name, factor] : units) {
    const double number = std::stod(fmt::format("{:.12g}", value / factor));
    if (std::abs(number) >= 1 && number * factor == value) return fmt::format("{}{}", number, name);
  }
  return fmt::format("{}{}", value, units.back().first);
}

std::string loopback_attributes(const std::optional<LoopbackLink>& loopback) {
  if (!loopback) return {};
  return fmt::format("\n             loopback_bw=\"{}\" loopback_lat=\"{}\"",
                     xml_bandwidth(loopback->bandwidth), xml_latency(loopback->latency));
}

std::string element_of(const SimgridCluster& cluster, int num_hosts, const LinkProperties& link,
                       const std::optional<LoopbackLink>& loopback = std::nullopt) {
  return fmt::format(
      "  <zone id=\"machine\" routing=\"Full\">\n"  // SimGrid 4.0 crashes on a cluster without
      "    <cluster id=\"vtopo\" prefix=\"host-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n"
      "             bw=\"{}\" lat=\"{}\" topology=\"{}\" topo_parameters=\"{}\"{}/>\n"
      "  </zone>\n",
      num_hosts - 1, xml_bandwidth(link.bandwidth), xml_latency(link.latency), cluster.topology,
      cluster.parameters, loopback_attributes(loopback));
}

/// A link that the cluster gives its plain bandwidth: dragonflies widen the later ones.
LinkProperties plain_link(const Network& network) {
  return network.num_links() == 0 ? LinkProperties{{10e9}, {0}} : network.link(LinkId{0});
}

/// What vtopo reads out of a file with this element.
std::shared_ptr<const Network> read_back(const std::string& element) {
  PlatformFile file{"", "<platform>" + element + "</platform>", {}};
  file.document.load_buffer(file.text.data(), file.text.size());
  const auto model = closed_form_cluster(file);
  return model ? make_network(model->spec, model->defaults) : nullptr;
}

bool same_hosts_and_links(const Network& a, const Network& b) {
  if (a.num_hosts() != b.num_hosts() || a.num_links() != b.num_links()) return false;
  for (int h = 0; h < a.num_hosts(); ++h)
    if (a.host_name(HostId{h}) != b.host_name(HostId{h})) return false;
  for (int l = 0; l < a.num_links(); ++l) {
    const LinkProperties left = a.link(LinkId{l}), right = b.link(LinkId{l});
    if (left.bandwidth.value != right.bandwidth.value ||
        left.latency.value != right.latency.value || left.sharing != right.sharing)
      return false;
    const auto left_ends = a.link_ends(LinkId{l}), right_ends = b.link_ends(LinkId{l});
    if (!left_ends || !right_ends || left_ends->from != right_ends->from ||
        left_ends->to != right_ends->to)
      return false;
  }
  return true;
}

/// Why SimGrid's `<cluster>` is not this network with these routes; nothing if it is.
std::optional<std::string> why_no_cluster(const Network& network) {
  constexpr int max_hosts = 1 << 22;  // what vtopo asks SimGrid to build
  if (network.num_hosts() > max_hosts)
    return fmt::format("SimGrid is asked to build at most {} hosts", max_hosts);
  const auto cluster = network.simgrid_cluster();
  if (!cluster)
    return "SimGrid's clusters have no mesh dimensions and none of the keys of a specification";
  if (!cluster->difference.empty()) return cluster->difference;
  if (!cluster->fatal.empty()) return "SimGrid cannot build " + cluster->fatal;
  if (network.routing() != Routing::simgrid)
    return fmt::format(
        "SimGrid's clusters do not know the routing \"{}\", theirs is --routing simgrid",
        to_string(network.routing()));
  const LinkProperties link = plain_link(network);
  if (!std::isfinite(link.bandwidth.value)) return "SimGrid's links have finite bandwidths";
  const auto read = read_back(element_of(*cluster, network.num_hosts(), link));
  if (!read || !same_hosts_and_links(*read, network))
    return "SimGrid's clusters have one bandwidth and one latency for all cables";
  return std::nullopt;
}

/// `<cluster>` of a network for which `why_no_cluster` has no objection.
/// @param loopback of every host; may be absent.
std::string cluster_element(const Network& network, const std::optional<LoopbackLink>& loopback) {
  return element_of(network.simgrid_cluster().value(), network.num_hosts(), plain_link(network),
                    loopback);
}

/// A line of an XML comment. @throws UsageError for what may not stand in one.
std::string comment_line(std::string_view text) {
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (control || text.find("--") != std::string_view::npos || text.ends_with('-'))
    throw UsageError(fmt::format(
        "comment \"{}\": accepted is a line without \"--\" and without a \"-\" at its end, as XML "
        "has it",
        text));
  return std::string(text);
}

/// Head of the file: what it holds and how to make it again.
std::string head(const Network& network, const PlatformSource& source, std::string_view how) {
  std::vector<std::string> lines;
  for (const auto& comment : source.comments) lines.push_back(comment_line(comment));
  std::string rates;
  if (!source.bandwidth.empty())
    rates = fmt::format(", bandwidth {}, latency {}", comment_line(source.bandwidth),
                        comment_line(source.latency));
  lines.push_back(fmt::format("Network {}{}: {}, {}.", comment_line(source.network), rates,
                              counted(network.num_hosts(), "host"),
                              counted(network.num_links(), "directed link")));
  if (network.routing() != Routing::simgrid)
    lines.push_back(fmt::format("Routing: {}.", to_string(network.routing())));
  lines.push_back(std::string(how));
  lines.emplace_back("Written by vtopo platform generate; the speed of hosts is a placeholder.");
  return fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- {} -->\n<platform version=\"4.1\">\n",
      fmt::join(lines, "\n     "));
}

std::string property_element(std::string_view name, std::string_view value) {
  return fmt::format("    <prop id=\"vtopo-{}\" value=\"{}\"/>\n", name, xml_escaped(value));
}

GeneratedPlatform assemble(const Network& network, const PlatformSource& source, PlatformForm form,
                           std::string_view how, std::string body, std::string sentence) {
  // Behind the opening of the first zone and what the form itself has said there.
  std::size_t place = body.find('\n') + 1;
  while (body.compare(place, 9, "    <prop") == 0) place = body.find('\n', place) + 1;
  std::string properties;
  for (const auto& [name, value] : source.properties) properties += property_element(name, value);
  body.insert(place, properties);
  GeneratedPlatform platform{form, head(network, source, how) + body + "</platform>\n",
                             std::move(sentence)};
  if (!source.properties.empty())
    read_declaration(parse_platform("the written file", platform.xml));  // are they accepted?
  return platform;
}

GeneratedPlatform as_cluster(const Network& network, const PlatformSource& source) {
  return assemble(network, source, PlatformForm::cluster,
                  "One cluster: SimGrid builds these links and routes by itself.",
                  cluster_element(network, source.loopback),
                  "written as one SimGrid cluster, which has the same links and routes");
}

/// Whether hops of the network are something else than links of its routes: distances of a
/// hierarchy, or links of interfaces that do not count. The first host has routes of all kinds.
bool counts_other_hops(const Network& network) {
  std::vector<LinkId> route;
  for (int h = 1; h < network.num_hosts(); ++h) {
    route.clear();
    network.append_route(HostId{0}, HostId{h}, route);
    if (network.hops(HostId{0}, HostId{h}) != std::ssize(route)) return true;
  }
  return false;
}

GeneratedPlatform as_zones(const Network& network, const PlatformSource& source,
                           const std::optional<RouterTree>& tree) {
  const std::size_t routes = count_routes(network, tree);
  std::string zones = "one zone";
  if (tree) zones = fmt::format("a zone per router");
  if (tree && tree->groups > 1) zones += " and a zone per group";
  std::string how =
      fmt::format("Explicit links, each one way, and {}, in {}.", counted(routes, "route"), zones);
  std::string sentence =
      fmt::format("written as explicit links and {}, in {}", counted(routes, "route"), zones);
  if (counts_other_hops(network)) {
    how += "\n     Its hops are links, those of the network are other numbers.";
    sentence +=
        "; hops of the file are links, those of the network are kept by --form property only";
  }
  return assemble(network, source, PlatformForm::zones, how,
                  zone_element(network, tree, source.loopback), std::move(sentence));
}

GeneratedPlatform as_property(const Network& network, const PlatformSource& source) {
  const SimgridView view = simgrid_view(network);
  std::string own;
  const auto add = [&own](std::string_view name, std::string_view value) {
    own += property_element(name, value);
  };
  add("network", source.network);
  add("bandwidth", source.bandwidth);
  add("latency", source.latency);
  if (!source.host_names.empty()) add("host-names", source.host_names);
  const bool has_rule =
      std::any_of(source.properties.begin(), source.properties.end(),
                  [](const auto& property) { return property.first == "routing"; });
  if (!has_rule && network.routing() != Routing::simgrid)
    add("routing", to_string(network.routing()));
  return assemble(network, source, PlatformForm::property,
                  "vtopo builds the network from the properties below. Plain SimGrid does not: it\n"
                  "     sees " +
                      view.sentence + '.',
                  fmt::format("  <zone id=\"vtopo\" routing=\"{}\">\n{}{}  </zone>\n", view.routing,
                              own, view.elements),
                  "written as properties that vtopo reads; plain SimGrid sees " + view.sentence);
}

void check_one_route_each(const Network& network) {
  if (network.splits_flows())
    throw UsageError(fmt::format(
        "routing \"{}\" splits flows over several routes, but a platform file holds one route per "
        "pair of hosts; accepted are rules that do not split: auto, simgrid, positive",
        to_string(network.routing())));
}

void check_links(const Network& network) {
  for (int l = 0; l < network.num_links(); ++l)
    if (const double bandwidth = network.link(LinkId{l}).bandwidth.value; !std::isfinite(bandwidth))
      throw UsageError(fmt::format(
          "link \"{}\" has bandwidth {}, which SimGrid cannot hold; accepted are finite "
          "numbers > 0",
          network.link_name(LinkId{l}), bandwidth));
}

/// The nested zones, where they are fewer routes.
std::optional<RouterTree> smaller_tree(const Network& network) {
  auto tree = router_tree(network);
  if (tree && count_routes(network, tree) >= count_routes(network, std::nullopt)) tree.reset();
  return tree;
}

}  // namespace

std::string detail::xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (const auto code = static_cast<unsigned char>(c); code < 0x20)
      escaped += fmt::format("&#{};", code);
    else
      escaped += c;
  }
  return escaped;
}

std::string detail::xml_bandwidth(BytesPerSecond bandwidth) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"GBps", 1e9}, {"MBps", 1e6}, {"kBps", 1e3}, {"Bps", 1}};
  return exact_quantity(bandwidth.value, units);
}

std::string detail::xml_latency(Seconds latency) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"s", 1}};
  return exact_quantity(latency.value, units);
}

std::optional<PlatformForm> parse_platform_form(std::string_view name) {
  if (name == "auto") return std::nullopt;
  if (name == "cluster") return PlatformForm::cluster;
  if (name == "explicit") return PlatformForm::zones;
  if (name == "property") return PlatformForm::property;
  const std::array<std::string, 4> names{"auto", "cluster", "explicit", "property"};
  throw UsageError(
      fmt::format("form \"{}\"; accepted: {}{}", name, join(names, ", "), suggestion(name, names)));
}

void check_for_simgrid(const Network& network) {
  check_one_route_each(network);
  check_links(network);
}

GeneratedPlatform generate_platform(const Network& network, const PlatformSource& source,
                                    std::optional<PlatformForm> form) {
  check_one_route_each(network);
  if (!form || form == PlatformForm::cluster) {
    const auto objection = why_no_cluster(network);
    if (!objection) return as_cluster(network, source);
    if (form)
      throw UsageError(
          fmt::format("{} cannot be written as a cluster: {}; accepted: the forms "
                      "explicit and property",
                      network.description(), *objection));
  }
  if (!form || form == PlatformForm::zones) {
    const auto tree = smaller_tree(network);
    const std::size_t routes = count_routes(network, tree);
    if (routes <= (form ? max_routes : max_routes_unasked)) {
      check_links(network);
      return as_zones(network, source, tree);
    }
    if (form)
      throw UsageError(
          fmt::format("{} needs {} explicit routes: accepted are up to {}; take the form property",
                      network.description(), routes, max_routes));
  }
  if (source.bandwidth.empty())
    throw UsageError(
        fmt::format("{} has no specification that the form property could hold; accepted are the "
                    "forms cluster and explicit, the latter with up to {} routes{}",
                    source.network, max_routes,
                    form ? "" : fmt::format(" ({} unless it is asked for)", max_routes_unasked)));
  return as_property(network, source);
}

}  // namespace vtopo
