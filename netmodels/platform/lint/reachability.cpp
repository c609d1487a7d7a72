#include <algorithm>
#include <numeric>

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
    findings_.add("isolated-host", point(end).element, point(end).name,
                  fmt::format("{} {} has no route to any other of its zone",
                              point(end).kind == PointKind::zone ? "zone" : "host", name(end)),
                  "a route to each of them");
  }

  void report_missing(const std::vector<int>& ends, std::int64_t count) {
    constexpr std::size_t max_named = 3;
    std::vector<std::string> named;
    for (std::size_t a = 0; a < ends.size() && named.size() < max_named; ++a)
      for (std::size_t b = 0; b < ends.size() && named.size() < max_named; ++b)
        if (a != b && !has_route(ends[a], ends[b]))
          named.push_back(fmt::format("{} to {}", name(ends[a]), name(ends[b])));
    findings_.add("missing-route", zone_.element, zone_.element.attribute("id"),
                  fmt::format("{} of {} pairs of this Full zone have no route: {}{}", count,
                              count_pairs(ends_), fmt::join(named, ", "),
                              count > narrow<std::int64_t>(named.size()) ? ", ..." : ""),
                  "a route for each pair, or routing=\"Floyd\" and a route per cable");
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

}  // namespace

void check_reachability(Findings& findings, const Inventory& inventory, int zone,
                        const ZoneRoutes& routes) {
  if (routes.resolved) Reachability(findings, inventory, zone, routes).check();
}

}  // namespace vtopo::detail::lint
