#include <algorithm>

#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/zone_routes.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::lint {

namespace {

/// Netpoints of one zone, numbered anew, and who reaches whom.
class Reachability {
 public:
  Reachability(Findings& findings, const Inventory& inventory, int zone, const ZoneRoutes& routes)
      : findings_(findings),
        inventory_(inventory),
        zone_(inventory.zones[static_cast<std::size_t>(zone)]),
        routes_(routes) {
    for (const int id : zone_.points)
      if (point(id).has_hosts) ends_.push_back(id);
  }

  void check() {
    if (ends_.size() < 2) return;
    if (zone_.routing == "none")
      findings_.add("no-routing", zone_.element, zone_.element.attribute("routing"),
                    "a zone with routing=\"None\" has no routes: SimGrid aborts on the first "
                    "message",
                    "routing=\"Full\", \"Floyd\" or \"Dijkstra\", and routes");
    if (zone_.routing == "full") check_full();
    if (zone_.routing == "floyd" || zone_.routing.starts_with("dijkstra")) check_connected();
    if (zone_.routing == "cluster") check_host_links();
  }

 private:
  const NetPoint& point(int id) const { return inventory_.points[static_cast<std::size_t>(id)]; }
  std::string name(int id) const { return in_quotes(point(id).name); }
  bool has_route(int a, int b) const { return routes_.pairs.contains(pair_of(a, b)); }

  void check_full() {
    std::unordered_set<int> joined;
    std::int64_t declared = 0;
    for (const auto& entry : routes_.pairs) {
      const auto [source, destination] = ends_of(entry.first);
      joined.insert({source, destination});
      declared += point(source).has_hosts && point(destination).has_hosts ? 1 : 0;
    }
    std::vector<int> some;
    for (const int end : ends_)
      if (joined.contains(end)) some.push_back(end);
    if (some.empty()) return report_missing(ends_, count_pairs(ends_));
    for (const int end : ends_)
      if (!joined.contains(end)) report_isolated(end);
    if (const auto missing = count_pairs(some) - declared; missing > 0)
      report_missing(some, missing);
  }

  static std::int64_t count_pairs(const std::vector<int>& ends) {
    const auto n = static_cast<std::int64_t>(ends.size());
    return n * (n - 1);
  }

  void report_isolated(int end) {
    const bool is_zone = point(end).kind == PointKind::zone;
    findings_.add(is_zone && !may_be_bypassed() ? "missing-zone-route" : "isolated-host",
                  point(end).element, point(end).name,
                  fmt::format("{} {} has no route to any other of its zone",
                              is_zone ? "zone" : "host", name(end)),
                  "a route to each of them");
  }

  /// Whether a zone further out has bypasses, which may join what is inside of this one.
  bool may_be_bypassed() const {
    for (int outer = zone_.parent; outer >= 0;) {
      const Zone& zone = inventory_.zones[static_cast<std::size_t>(outer)];
      if (std::any_of(zone.routes.begin(), zone.routes.end(), [](pugi::xml_node route) {
            return std::string_view(route.name()).starts_with("bypass");
          }))
        return true;
      outer = zone.parent;
    }
    return false;
  }

  void report_missing(const std::vector<int>& ends, std::int64_t count) {
    // Pairs with a zone first: hosts of it cannot talk, while two hosts have an empty route.
    std::vector<std::string> named;
    const bool between_zones = name_missing(ends, true, named) && !may_be_bypassed();
    name_missing(ends, false, named);
    findings_.add(between_zones ? "missing-zone-route" : "missing-route", zone_.element,
                  zone_.element.attribute("id"),
                  fmt::format("{} of {} pairs of this Full zone have no route: {}{}", count,
                              count_pairs(ends_), fmt::join(named, ", "),
                              count > narrow<std::int64_t>(named.size()) ? ", ..." : ""),
                  "a route for each pair, or routing=\"Floyd\" and a route per cable");
  }

  /// Adds the first pairs without route to `named`, of those with a zone or of the others; whether
  /// there are any.
  bool name_missing(const std::vector<int>& ends, bool with_zone,
                    std::vector<std::string>& named) const {
    constexpr std::size_t max_named = 3;
    const std::size_t before = named.size();
    for (std::size_t a = 0; a < ends.size() && named.size() < max_named; ++a)
      for (std::size_t b = 0; b < ends.size() && named.size() < max_named; ++b) {
        const bool has_zone =
            point(ends[a]).kind == PointKind::zone || point(ends[b]).kind == PointKind::zone;
        if (a != b && has_zone == with_zone && !has_route(ends[a], ends[b]))
          named.push_back(fmt::format("{} to {}", name(ends[a]), name(ends[b])));
      }
    return named.size() > before;
  }

  /// All ends must reach, and be reached from, one of them.
  void check_connected() {
    warn_of_size();
    const auto forward = component(false);
    const auto backward = component(true);
    for (const int end : ends_) {
      if (!forward.contains(end))
        report_unreachable(end, name(reference_), name(end));
      else if (!backward.contains(end))
        report_unreachable(end, name(end), name(reference_));
    }
  }

  void warn_of_size() {
    constexpr std::size_t bearable = 2000;
    if (zone_.routing == "floyd" && zone_.points.size() > bearable)
      findings_.add("slow-floyd", zone_.element, zone_.element.attribute("routing"),
                    fmt::format("a Floyd zone of {} hosts and routers takes time with their cube",
                                zone_.points.size()),
                    "routing=\"DijkstraCache\", or zones inside the zone");
  }

  void report_unreachable(int end, const std::string& from, const std::string& to) {
    findings_.add("unreachable-host", point(end).element, point(end).name,
                  fmt::format("no routes lead from {} to {}: SimGrid {}", from, to,
                              zone_.routing == "floyd" ? "aborts" : "crashes"),
                  "routes that join it to the others");
  }

  /// Which netpoints are reached from the reference, or reach it.
  std::unordered_set<int> component(bool backward) {
    std::unordered_map<int, std::vector<int>> next;
    for (const auto& entry : routes_.pairs) {
      const auto [source, destination] = ends_of(entry.first);
      next[backward ? destination : source].push_back(backward ? source : destination);
    }
    // The end with most neighbours: if it is cut off, so is nearly everything.
    if (!backward)
      reference_ = *std::max_element(ends_.begin(), ends_.end(), [&next](int a, int b) {
        return next[a].size() < next[b].size();
      });
    std::unordered_set<int> reached{reference_};
    std::vector<int> front{reference_};
    while (!front.empty()) {
      const int at = front.back();
      front.pop_back();
      for (const int to : next[at])
        if (reached.insert(to).second) front.push_back(to);
    }
    return reached;
  }

  /// Hosts of a Cluster zone that have no links, and so empty routes.
  void check_host_links() {
    std::unordered_set<std::string_view> linked;
    for (const auto link : zone_.host_links) linked.insert(link.attribute("id").value());
    for (const int end : ends_)
      if (std::string_view(point(end).element.name()) == "host" &&
          !linked.contains(point(end).name))
        report_isolated(end);
  }

  Findings& findings_;
  const Inventory& inventory_;
  const Zone& zone_;
  const ZoneRoutes& routes_;
  std::vector<int> ends_;
  int reference_ = 0;
};

/// Checks that the routes of a zone join all its hosts.
void check_reachability(Findings& findings, const Inventory& inventory, int zone,
                        const ZoneRoutes& routes) {
  if (routes.resolved) Reachability(findings, inventory, zone, routes).check();
}

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
