#include "netmodels/platform/generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "netmodels/platform/generate_forms.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

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
  lines.push_back(fmt::format("Network {}, bandwidth {}, latency {}: {}, {}.",
                              comment_line(source.network), comment_line(source.bandwidth),
                              comment_line(source.latency), counted(network.num_hosts(), "host"),
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

GeneratedPlatform assemble(const Network& network, const PlatformSource& source, PlatformForm form,
                           std::string_view how, const std::string& body, std::string sentence) {
  return {form, head(network, source, how) + body + "</platform>\n", std::move(sentence)};
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
  std::string body = "  <zone id=\"vtopo\" routing=\"None\">\n";
  const auto add = [&body](std::string_view name, std::string_view value) {
    body += fmt::format("    <prop id=\"vtopo-{}\" value=\"{}\"/>\n", name, xml_escaped(value));
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
  for (const auto& [name, value] : source.properties) add(name, value);
  body += "    <host id=\"placeholder\" speed=\"1Gf\"/>\n  </zone>\n";
  GeneratedPlatform platform =
      assemble(network, source, PlatformForm::property,
               "vtopo builds the network from the properties below. Plain SimGrid does not: it\n"
               "     sees one host and none of these links and routes.",
               body,
               "written as properties that vtopo reads; plain SimGrid sees a placeholder and "
               "none of these links and routes");
  if (!source.properties.empty())
    declared_properties(parse_platform("the written file", platform.xml));  // are they accepted?
  return platform;
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

std::optional<PlatformForm> parse_platform_form(std::string_view name) {
  if (name == "auto") return std::nullopt;
  if (name == "cluster") return PlatformForm::cluster;
  if (name == "explicit") return PlatformForm::zones;
  if (name == "property") return PlatformForm::property;
  const std::array<std::string, 4> names{"auto", "cluster", "explicit", "property"};
  throw UsageError(
      fmt::format("form \"{}\"; accepted: {}{}", name, join(names, ", "), suggestion(name, names)));
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
          fmt::format("{} needs {} explicit routes: accepted are up to {}; take the "
                      "form property",
                      network.description(), routes, max_routes));
  }
  return as_property(network, source);
}

}  // namespace vtopo
