#include "netmodels/platform/lint/zone_routes.hpp"

#include "netmodels/platform/lint/checks.hpp"

namespace vtopo::detail::lint {

namespace {

/// Ends of a route.
struct Ends {
  int source = -1;
  int destination = -1;

  bool known() const { return source >= 0 && destination >= 0; }
};

/// Checks of the routes of one zone.
class RouteCheck {
 public:
  RouteCheck(Findings& findings, Inventory& inventory, int zone)
      : findings_(findings), inventory_(inventory), zone_(zone) {}

  ZoneRoutes check() {
    for (const auto route : zone().routes) check_route(route);
    for (const auto link : zone().host_links) {
      check_named_link(findings_, inventory_, link, link.attribute("up"));
      check_named_link(findings_, inventory_, link, link.attribute("down"));
    }
    return std::move(routes_);
  }

 private:
  const Zone& zone() const { return inventory_.zones[static_cast<std::size_t>(zone_)]; }
  const NetPoint& point(int id) const { return inventory_.points[static_cast<std::size_t>(id)]; }

  void check_route(pugi::xml_node route) {
    const std::string_view name = route.name();
    const bool joins_zones = name != "route" && name != "bypassRoute";
    const Ends ends{end(route, "src", joins_zones), end(route, "dst", joins_zones)};
    check_links_of_route(findings_, inventory_, route);
    if (!ends.known()) {
      routes_.resolved = false;
      return;
    }
    if (joins_zones) {
      check_gateway(route, "gw_src", ends.source);
      check_gateway(route, "gw_dst", ends.destination);
    }
    if (point(ends.source).zone != zone_ || point(ends.destination).zone != zone_) {
      routes_.resolved = false;  // a bypass: it joins some of what is inside of the zones here
      return;
    }
    if (ends.source == ends.destination) return check_self_route(route, joins_zones);
    if (!may_have_routes()) return report_routing(route);
    declare(route, ends);
  }

  /// Netpoint that an end of a route names; -1: there is none that it may name.
  int end(pugi::xml_node route, const char* name, bool joins_zones) {
    const auto attribute = route.attribute(name);
    if (!attribute) return -1;
    const int found = inventory_.find(attribute.value(), joins_zones);
    if (found < 0) {
      if (inventory_.complete)
        findings_.add("unknown-endpoint", route, attribute,
                      fmt::format("there is no {} {}", joins_zones ? "zone" : "host or router",
                                  in_quotes(attribute.value())),
                      joins_zones ? "the id of a zone or cluster inside this zone"
                                  : "the id of a host or router of this zone");
      return -1;
    }
    const NetPoint& end = point(found);
    if (joins_zones != (end.kind == PointKind::zone))
      return report_end(route, attribute,
                        joins_zones ? "is not a zone: <zoneRoute> joins zones"
                                    : "is a zone: <route> joins hosts and routers");
    const bool bypasses = joins_zones && std::string_view(route.name()).starts_with("bypass");
    if (bypasses ? !is_in(end.zone, zone().point) : end.zone != zone_)
      return report_end(route, attribute, "is not directly in this zone: SimGrid aborts");
    if (end.element.offset_debug() > route.offset_debug())
      return report_end(route, attribute, "is declared only after this route");
    return found;
  }

  int report_end(pugi::xml_node route, pugi::xml_attribute attribute, std::string_view why) {
    findings_.add("wrong-endpoint", route, attribute,
                  fmt::format("{} {}", in_quotes(attribute.value()), why),
                  "<route> between hosts and routers of one zone, <zoneRoute> between the zones "
                  "directly in one zone");
    return -1;
  }

  void check_gateway(pugi::xml_node route, const char* name, int end) {
    const auto attribute = route.attribute(name);
    if (!attribute) return;
    const NetPoint& zone = point(end);
    const int found = inventory_.find(attribute.value(), false);
    if (found < 0) {
      if (inventory_.complete)
        findings_.add("gateway", route, attribute,
                      fmt::format("there is no host or router {}", in_quotes(attribute.value())),
                      "a host or router of the zone; a <cluster> without topology has the router "
                      "<prefix><id>_router<suffix>");
      return;
    }
    if (point(found).kind == PointKind::zone || !is_in(point(found).zone, end))
      findings_.add("gateway", route, attribute,
                    fmt::format("{}={} is not a host or router of the zone {}", name,
                                in_quotes(attribute.value()), in_quotes(zone.name)),
                    fmt::format("a host or router of {}", in_quotes(zone.name)));
  }

  /// Whether `inner` is the zone that is the netpoint `end`, or inside it.
  bool is_in(int inner, int end) const {
    while (inner >= 0) {
      const Zone& around = inventory_.zones[static_cast<std::size_t>(inner)];
      if (around.point == end) return true;
      inner = around.parent;
    }
    return false;
  }

  bool is_symmetrical(pugi::xml_node route) const {
    return lower(shortened(route.attribute("symmetrical").as_string("YES"))) != "no";
  }

  void check_self_route(pugi::xml_node route, bool joins_zones) {
    const bool floyd = zone().routing == "floyd" && is_symmetrical(route);
    if (zone().routing == "cluster") return;  // the loopback of a host
    findings_.add(
        joins_zones || floyd ? "self-route-aborts" : "self-route", route, route.attribute("src"),
        fmt::format("a route from {} to itself{}", in_quotes(route.attribute("src").value()),
                    joins_zones ? ": SimGrid aborts"
                    : floyd     ? ": SimGrid aborts on a symmetrical one in a Floyd zone"
                                : " replaces SimGrid's loopback"),
        "no route: SimGrid adds a loopback by itself");
  }

  bool may_have_routes() const {
    const std::string& routing = zone().routing;
    return routing != "none" && routing != "cluster" && routing != "vivaldi" && routing != "wifi";
  }

  void report_routing(pugi::xml_node route) {
    findings_.add("route-in-zone", route, "",
                  fmt::format("a zone with routing={} takes no routes between its hosts",
                              in_quotes(zone().element.attribute("routing").value())),
                  "routing=\"Full\", \"Floyd\" or \"Dijkstra\"");
  }

  void declare(pugi::xml_node route, const Ends& ends) {
    const bool bypass = std::string_view(route.name()).starts_with("bypass");
    add(route, ends.source, ends.destination, bypass);
    if (!bypass && is_symmetrical(route)) add(route, ends.destination, ends.source, bypass);
  }

  void add(pugi::xml_node route, int source, int destination, bool bypass) {
    const auto [known, added] = routes_.pairs.emplace(pair_of(source, destination), route);
    if (added || bypass || known->second == route ||
        std::string_view(known->second.name()).starts_with("bypass"))
      return;
    const FilePosition place = findings_.file().position(known->second);
    findings_.add("duplicate-route", route, route.attribute("src"),
                  fmt::format("a second route from {} to {}; the first is at line {}, column {}, "
                              "and routes are symmetrical by default",
                              in_quotes(point(source).name), in_quotes(point(destination).name),
                              place.line, place.column),
                  "one of them, or symmetrical=\"NO\" in both");
  }

  Findings& findings_;
  Inventory& inventory_;
  int zone_;
  ZoneRoutes routes_;
};

}  // namespace

ZoneRoutes check_zone_routes(Findings& findings, Inventory& inventory, int zone) {
  return RouteCheck(findings, inventory, zone).check();
}

}  // namespace vtopo::detail::lint
