#include "netmodels/platform/lint/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// Hosts of clusters whose names are kept: about 100 MB.
constexpr std::int64_t max_named_hosts = std::int64_t{1} << 20;

std::string id_of(pugi::xml_node element) {
  return element.attribute("id").value();
}

/// The walk that fills an inventory.
class Collector {
 public:
  explicit Collector(Findings& findings) : findings_(findings) {}

  void collect(pugi::xml_node parent, int zone, int nesting) {
    if (nesting > deepest_nesting) return;
    for (const auto child : parent.children()) {
      const std::string_view name = child.name();
      if (name == "zone" || name == "AS")
        collect(child, add_zone(child, lower(shortened(child.attribute("routing").value())), zone),
                nesting + 1);
      else if (name == "cluster")
        add_cluster(child, add_zone(child, "", zone));
      else if (name == "cabinet")
        add_cluster(child, zone);
      else if (name == "host" || name == "peer" || name == "router")
        add_node(child, id_of(child), name == "router" ? PointKind::router : PointKind::host, zone);
      else if (name == "link" || name == "backbone")
        add_link(child);
      else if (zone >= 0)
        add_route(child, zone);
    }
  }

  Inventory take() { return std::move(inventory_); }

 private:
  void report_twice(std::string_view rule, pugi::xml_node element, std::string_view what,
                    const std::string& name, pugi::xml_node first) {
    const FilePosition place = findings_.file().position(first);
    findings_.add(rule, element, name,
                  fmt::format("a second {} {}; the first is at line {}, column {}", what,
                              in_quotes(name), place.line, place.column),
                  "another id, or only one of them");
  }

  int add_point(pugi::xml_node element, std::string name, PointKind kind, int zone) {
    const int point = int_size(inventory_.points);
    inventory_.points.push_back({std::move(name), kind, zone, element, kind == PointKind::host});
    if (zone >= 0) inventory_.zones[static_cast<std::size_t>(zone)].points.push_back(point);
    return point;
  }

  int add_zone(pugi::xml_node element, std::string routing, int parent) {
    const std::string name = id_of(element);
    const int point = add_point(element, name, PointKind::zone, parent);
    const auto [known, added] = inventory_.zone_names.emplace(name, point);
    if (!added)
      report_twice("duplicate-zone", element, "zone", name,
                   inventory_.points[static_cast<std::size_t>(known->second)].element);
    inventory_.zones.push_back({element, std::move(routing), parent, point});
    return int_size(inventory_.zones) - 1;
  }

  /// Within a cluster only the first of its hosts that is taken is reported.
  bool add_node(pugi::xml_node element, const std::string& name, PointKind kind, int zone) {
    const auto [known, added] = inventory_.nodes.emplace(name, int_size(inventory_.points));
    if (!added) {
      const auto& first = inventory_.points[static_cast<std::size_t>(known->second)];
      if (first.element != element)
        report_twice("duplicate-host", element, "host or router", name, first.element);
      return false;
    }
    add_point(element, name, kind, zone);
    if (kind == PointKind::host) mark_hosts(zone);
    return true;
  }

  /// Says of the zones around a host that they have one.
  void mark_hosts(int zone) {
    while (zone >= 0) {
      const Zone& around = inventory_.zones[static_cast<std::size_t>(zone)];
      NetPoint& point = inventory_.points[static_cast<std::size_t>(around.point)];
      if (point.has_hosts) return;
      point.has_hosts = true;
      zone = around.parent;
    }
  }

  void add_cluster(pugi::xml_node cluster, int zone) {
    const std::string id = id_of(cluster);
    inventory_.clusters.insert(id);
    const std::string prefix = cluster.attribute("prefix").value();
    const std::string suffix = cluster.attribute("suffix").value();
    const bool flat = !is_topology(cluster.attribute("topology").value());
    if (std::string_view(cluster.name()) == "cluster" && flat) add_router(cluster, zone);
    const RadicalText radical = read_radical(cluster.attribute("radical").value());
    named_hosts_ += radical.count;
    if (!radical.problem.empty() || named_hosts_ > max_named_hosts) {
      inventory_.complete = false;
      mark_hosts(zone);
      return;
    }
    for (const auto& [first, last] : radical.ranges)
      for (auto number = first; number <= last; ++number)
        if (!add_node(cluster, fmt::format("{}{}{}", prefix, number, suffix), PointKind::host,
                      zone))
          return;
  }

  static bool is_topology(std::string_view topology) {
    return topology == "TORUS" || topology == "FAT_TREE" || topology == "DRAGONFLY";
  }

  /// A flat cluster has a router, called after it if it has no name of its own.
  void add_router(pugi::xml_node cluster, int zone) {
    std::string name = cluster.attribute("router_id").value();
    if (name.empty())
      name = std::string(cluster.attribute("prefix").value()) + id_of(cluster) + "_router" +
             cluster.attribute("suffix").value();
    add_node(cluster, name, PointKind::router, zone);
  }

  void add_link(pugi::xml_node element) {
    const std::string_view policy = element.attribute("sharing_policy").value();
    const std::string name = id_of(element);
    const bool split = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
    const std::string made = split ? name + "_UP" : name;
    for (const std::string& link :
         split ? std::vector{name, made, name + "_DOWN"} : std::vector{name}) {
      const auto [known, added] =
          inventory_.links.emplace(link, DeclaredLink{element, split && link == name});
      if (!added)
        return report_twice("duplicate-link", element, "link", link, known->second.element);
    }
    inventory_.link_names.push_back(name);
  }

  void add_route(pugi::xml_node element, int zone) {
    const std::string_view name = element.name();
    Zone& around = inventory_.zones[static_cast<std::size_t>(zone)];
    if (name == "host_link") around.host_links.push_back(element);
    if (name == "route" || name == "zoneRoute" || name == "ASroute" || name.starts_with("bypass"))
      around.routes.push_back(element);
  }

  Findings& findings_;
  Inventory inventory_;
  std::int64_t named_hosts_ = 0;
};

/// Sentence on what is wrong with a range, if anything is.
std::string problem_of(std::string_view piece, std::optional<std::int64_t> first,
                       std::optional<std::int64_t> last) {
  if (!first || !last || *first < 0 || *last < 0)
    return fmt::format("{} is neither a number nor a range", in_quotes(piece));
  if (*last < *first) return fmt::format("the range {} holds no number", in_quotes(piece));
  if (*last > max_id) return fmt::format("{} is beyond {}", *last, max_id);
  return {};
}

}  // namespace

int Inventory::find(std::string_view name, bool zones_first) const {
  const std::string key(name);
  const auto node = nodes.find(key);
  const auto zone = zone_names.find(key);
  if (zone != zone_names.end() && (zones_first || node == nodes.end())) return zone->second;
  return node == nodes.end() ? -1 : node->second;
}

bool Inventory::may_be_made_link(std::string_view name) const {
  constexpr int max_underscores = 64;
  if (name == "__loopback__" || (name.starts_with("link_") && !clusters.empty())) return true;
  auto end = name.find('_');
  for (int i = 0; i < max_underscores && end != std::string_view::npos; ++i) {
    if (clusters.contains(std::string(name.substr(0, end)))) return true;
    end = name.find('_', end + 1);
  }
  return false;
}

Inventory take_inventory(Findings& findings, pugi::xml_node platform) {
  Collector collector(findings);
  collector.collect(platform, -1, 0);
  return collector.take();
}

RadicalText read_radical(std::string_view text) {
  RadicalText radical;
  while (radical.problem.empty()) {
    const auto comma = text.find(',');
    const auto piece = text.substr(0, comma);
    const auto dash = piece.find('-');
    const auto first = parse_integer(trim(piece.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer(trim(piece.substr(dash + 1)));
    radical.problem = problem_of(piece, first, last);
    if (!radical.problem.empty()) break;
    radical.ranges.push_back({*first, *last});
    radical.count += *last - *first + 1;
    if (radical.count > max_cluster_hosts)
      radical.problem = fmt::format("it names more than {} hosts", max_cluster_hosts);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return radical;
}

bool names_a_host_twice(std::vector<NumberRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  return std::adjacent_find(ranges.begin(), ranges.end(),
                            [](const NumberRange& a, const NumberRange& b) {
                              return b.first <= a.last;
                            }) != ranges.end();
}

}  // namespace vtopo::detail::lint
