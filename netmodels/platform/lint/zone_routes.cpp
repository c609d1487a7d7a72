#include "netmodels/platform/lint/zone_routes.hpp"

#include <set>

#include "netmodels/platform/lint/checks.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// Names among which a misspelt one is looked for: enough for files by hand, bounded for others.
constexpr std::size_t max_candidates = 1000;

std::string similar_link(Inventory& inventory, std::string_view name) {
  std::string any = "the id of a <link> above";
  if (inventory.suggestions_left-- <= 0) return any;
  const auto& names = inventory.link_names;
  const std::span<const std::string> some(names.data(), std::min(names.size(), max_candidates));
  if (const auto close = nearest(name, some)) return "\"" + *close + "\"";
  return any;
}

/// Marks a link, or the link whose half it is, as used.
void mark_used(Inventory& inventory, const std::string& name) {
  if (const auto found = inventory.links.find(name); found != inventory.links.end())
    found->second.used = true;
  for (const std::string_view half : {"_UP", "_DOWN"})
    if (name.ends_with(half))
      if (const auto whole = inventory.links.find(name.substr(0, name.size() - half.size()));
          whole != inventory.links.end() && whole->second.split)
        whole->second.used = true;
}

/// Whether the name is that of a half of a split-duplex link.
bool is_half(const Inventory& inventory, std::string_view name) {
  for (const std::string_view half : {"_UP", "_DOWN"})
    if (name.ends_with(half))
      if (const auto whole =
              inventory.links.find(std::string(name.substr(0, name.size() - half.size())));
          whole != inventory.links.end() && whole->second.split)
        return true;
  return false;
}

bool is_symmetrical(pugi::xml_node route) {
  if (std::string_view(route.name()).starts_with("bypass")) return false;
  return lower(shortened(route.attribute("symmetrical").as_string("YES"))) != "no";
}

/// The link that a name means, without direction; unknown ones are reported.
const DeclaredLink* known_link(Findings& findings, Inventory& inventory, pugi::xml_node element,
                               pugi::xml_attribute attribute) {
  const std::string name = attribute.value();
  const auto found = inventory.links.find(name);
  if (found == inventory.links.end()) {
    if (!inventory.may_be_made_link(name))
      findings.add("unknown-link", element, attribute,
                   fmt::format("there is no link {}", in_quotes(name)),
                   similar_link(inventory, name));
    return nullptr;
  }
  mark_used(inventory, name);
  if (found->second.element.offset_debug() < element.offset_debug()) return &found->second;
  findings.add("unknown-link", element, attribute,
               fmt::format("the link {} is declared only at line {}, after its use",
                           in_quotes(name), findings.file().position(found->second.element).line),
               "the <link> in this zone, or in a zone above");
  return nullptr;
}

void check_direction(Findings& findings, const Inventory& inventory, pugi::xml_node part,
                     const DeclaredLink& link) {
  const std::string_view direction = part.attribute("direction").as_string("NONE");
  const std::string name = part.attribute("id").value();
  const bool one_way = direction == "UP" || direction == "DOWN";
  if (link.split && !one_way)
    findings.add("missing-direction", part, part.attribute("id"),
                 fmt::format("the split-duplex link {} without direction: SimGrid knows only its "
                             "halves, and aborts",
                             in_quotes(name)),
                 "direction=\"UP\" or \"DOWN\"; the reverse route takes the other half");
  else if (!link.split && one_way && !inventory.links.contains(name + "_" + std::string(direction)))
    findings.add("needless-direction", part, part.attribute("direction"),
                 fmt::format("the link {} is not split-duplex and has no direction {}",
                             in_quotes(name), direction),
                 "no direction, or sharing_policy=\"SPLITDUPLEX\" for the link");
}

void check_half(Findings& findings, pugi::xml_node route, pugi::xml_node part,
                const Inventory& inventory) {
  const std::string_view name = part.attribute("id").value();
  if (!is_symmetrical(route) || !is_half(inventory, name)) return;
  const bool up = name.ends_with("_UP");
  findings.add(
      "one-half-both-ways", part, part.attribute("id"),
      fmt::format("the reverse of this symmetrical route also takes {}", in_quotes(name)),
      fmt::format("id={} direction=\"{}\"", in_quotes(name.substr(0, name.size() - (up ? 3 : 5))),
                  up ? "UP" : "DOWN"));
}

/// Checks the link that an attribute of a `<host_link>` names.
void check_named_link(Findings& findings, Inventory& inventory, pugi::xml_node element,
                      pugi::xml_attribute attribute) {
  if (!attribute) return;
  const DeclaredLink* link = known_link(findings, inventory, element, attribute);
  if (link != nullptr && link->split)
    findings.add("missing-direction", element, attribute,
                 fmt::format("the split-duplex link {} has only halves, and SimGrid aborts",
                             in_quotes(attribute.value())),
                 fmt::format("{}=\"{}_{}\"", attribute.name(), shortened(attribute.value()),
                             std::string_view(attribute.name()) == "up" ? "UP" : "DOWN"));
}

/// Checks the links of a route.
void check_links_of_route(Findings& findings, Inventory& inventory, pugi::xml_node route) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  int links = 0;
  for (const auto part : route.children("link_ctn")) {
    ++links;
    if (!part.attribute("id")) continue;
    if (!seen.emplace(part.attribute("id").value(), part.attribute("direction").as_string("NONE"))
             .second)
      findings.add("repeated-link", part, part.attribute("id"), "the route takes this link twice",
                   "each link once");
    check_half(findings, route, part, inventory);
    if (const DeclaredLink* link = known_link(findings, inventory, part, part.attribute("id")))
      check_direction(findings, inventory, part, *link);
  }
  if (links == 0)
    findings.add("empty-route", route, "",
                 fmt::format("a <{}> without links: SimGrid aborts", route.name()),
                 "<link_ctn id=\"...\"/> for each link on the way");
}

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

  /// The host or router of the zone `end` whose name is like this one, else what is accepted.
  std::string similar_gateway(std::string_view name, int end, std::string any) {
    if (inventory_.suggestions_left-- <= 0) return any;
    std::vector<std::string> names;
    for (const NetPoint& one : inventory_.points)
      if (names.size() < max_candidates && one.kind != PointKind::zone && is_in(one.zone, end))
        names.push_back(one.name);
    const auto close = nearest(name, names);
    return close ? in_quotes(*close) : any;
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
                      similar_gateway(attribute.value(), end,
                                      "a host or router of the zone; a <cluster> without topology "
                                      "has the router <prefix><id>_router<suffix>"));
      return;
    }
    if (point(found).kind == PointKind::zone || !is_in(point(found).zone, end))
      findings_.add("gateway", route, attribute,
                    fmt::format("{}={} is not a host or router of the zone {}", name,
                                in_quotes(attribute.value()), in_quotes(zone.name)),
                    similar_gateway(attribute.value(), end,
                                    fmt::format("a host or router of {}", in_quotes(zone.name))));
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
