#include "netmodels/platform/platform_zones.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "netmodels/platform/platform_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

std::string attribute(pugi::xml_node element, const char* name) {
  return element.attribute(name).value();
}

/// Hosts of a cluster or cabinet by its radical.
void add_numbered_hosts(pugi::xml_node element, PlatformZone& zone) {
  if (!element.attribute("radical")) return;
  for (const auto n : numbers_of_radical(attribute(element, "radical")))
    zone.hosts.push_back(
        fmt::format("{}{}{}", attribute(element, "prefix"), n, attribute(element, "suffix")));
}

/// Sizes of a torus that has as many places as there are hosts; empty for others.
std::vector<int> grid_of(pugi::xml_node element, const std::vector<std::string>& hosts) {
  std::vector<int> sizes;
  if (!element.attribute("topology")) return sizes;  // those of other kinds have semicolons
  const std::string parameters = attribute(element, "topo_parameters");
  std::int64_t places = 1;
  for (const std::string_view piece : split(parameters, ',')) {
    const auto size = parse_integer(trim(piece));
    if (!size || *size < 1 || *size > std::int64_t{int_size(hosts)} / places) return {};
    places *= *size;
    sizes.push_back(narrow<int>(*size));
  }
  return places == std::int64_t{int_size(hosts)} ? sizes : std::vector<int>{};
}

void add_zone(pugi::xml_node element, int parent, std::vector<PlatformZone>& zones) {
  const int own = int_size(zones);
  zones.push_back({attribute(element, "id"), parent, {}, {}, {}, {}});
  add_numbered_hosts(element, zones.back());
  zones.back().grid = grid_of(element, zones.back().hosts);
  const bool has_router = element.attribute("router_id") != nullptr;
  if (has_router) zones.back().routers.push_back(attribute(element, "router_id"));
  if (element.attribute("bb_bw"))
    zones.back().links.push_back(attribute(element, "id") + "_backbone");
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    PlatformZone& zone = zones[index(own)];
    if (name == "zone" || name == "AS" || name == "cluster" || name == "cabinet")
      add_zone(child, own, zones);
    else if (name == "host" || name == "peer")
      zone.hosts.push_back(attribute(child, "id"));
    else if (name == "router")
      zone.routers.push_back(attribute(child, "id"));
    else if (name == "link" || name == "backbone")
      zone.links.push_back(attribute(child, "id"));
  }
}

}  // namespace

std::vector<PlatformZone> platform_zones(const std::string& path) {
  std::vector<PlatformZone> zones;
  try {
    const PlatformFile file = read_platform_file(path);
    for (const auto element : file.document.child("platform").children())
      if (const std::string_view name = element.name();
          name == "zone" || name == "AS" || name == "cluster")
        add_zone(element, -1, zones);
  } catch (const Error&) {
    zones.clear();  // what is edited, or no platform file, has none
  }
  return zones;
}

}  // namespace vtopo::detail
