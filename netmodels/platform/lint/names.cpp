#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/zone_routes.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::lint {

namespace {

void check_unused_links(Findings& findings, const Inventory& inventory) {
  for (const std::string& name : inventory.link_names) {
    const DeclaredLink& link = inventory.links.at(name);
    if (link.used || std::string_view(link.element.name()) != "link" || is_air(link.element))
      continue;
    const auto half_used = [&](const char* half) {
      const auto found = inventory.links.find(name + half);
      return link.split && found != inventory.links.end() && found->second.used;
    };
    if (!half_used("_UP") && !half_used("_DOWN"))
      findings.add("unused-link", link.element, link.element.attribute("id"),
                   fmt::format("no route takes the link {}", in_quotes(name)),
                   "a route over it, or no link");
  }
}

void check_host_links(Findings& findings, const Inventory& inventory, const Zone& zone) {
  for (const auto link : zone.host_links) {
    const auto attribute = link.attribute("id");
    const auto found = inventory.nodes.find(attribute.value());
    if (attribute && inventory.complete &&
        (found == inventory.nodes.end() ||
         inventory.points[static_cast<std::size_t>(found->second)].kind != PointKind::host))
      findings.add("unknown-endpoint", link, attribute,
                   fmt::format("there is no host {}", in_quotes(attribute.value())),
                   "the id of a host of this zone");
  }
}

/// SimGrid numbers the switches of all fat trees of a process together.
void check_fat_trees(Findings& findings, const Inventory& inventory) {
  int trees = 0;
  for (const Zone& zone : inventory.zones) {
    const auto topology = zone.element.attribute("topology");
    if (std::string_view(topology.value()) == "FAT_TREE" && ++trees > 1)
      findings.add("second-fat-tree", zone.element, topology,
                   "SimGrid counts positions on through all fat trees: routes of this one depend "
                   "on those before it",
                   "one fat tree per platform");
  }
}

}  // namespace

void check_routes(Findings& findings, pugi::xml_node platform) {
  Inventory inventory = take_inventory(findings, platform);
  for (int zone = 0; zone < int_size(inventory.zones); ++zone) {
    const ZoneRoutes routes = check_zone_routes(findings, inventory, zone);
    check_host_links(findings, inventory, inventory.zones[static_cast<std::size_t>(zone)]);
    check_reachability(findings, inventory, zone, routes);
  }
  check_unused_links(findings, inventory);
  check_fat_trees(findings, inventory);
  bool any_host = false;
  for (const NetPoint& point : inventory.points) any_host = any_host || point.has_hosts;
  if (!any_host)
    findings.add("no-host", platform, "", "the platform has no host", "<host> or <cluster>");
}

}  // namespace vtopo::detail::lint
