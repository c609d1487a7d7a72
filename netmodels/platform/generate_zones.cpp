#include "netmodels/platform/generate_zones.hpp"

#include <algorithm>
#include <set>

#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

using Route = std::vector<LinkId>;

constexpr int max_hosts = 4096;  // all pairs are looked at

/// Fills `hosts` and `first_host`, and the vertex of every router.
class Attachment {
 public:
  explicit Attachment(const Network& network) : network_(network) {}

  bool find(RouterTree& tree) {
    tree.hosts.resize(static_cast<std::size_t>(network_.num_hosts()));
    ups_.assign(tree.hosts.size(), 0);
    downs_.assign(tree.hosts.size(), 0);
    for (int l = 0; l < network_.num_links(); ++l)
      if (!add(LinkId{l}, tree)) return false;
    for (std::size_t h = 0; h < tree.hosts.size(); ++h)
      if (ups_[h] != 1 || downs_[h] != 1 || !number_router(tree, h)) return false;
    tree.first_host.push_back(network_.num_hosts());
    return true;
  }

  /// Position of the router at a vertex, or nothing for a vertex without hosts.
  std::optional<int> router_at(int vertex) const {
    const auto found = std::lower_bound(vertices_.begin(), vertices_.end(), vertex);
    if (found == vertices_.end() || *found != vertex) return std::nullopt;
    return narrow<int>(found - vertices_.begin());
  }

 private:
  bool add(LinkId link, RouterTree& tree) {
    const auto ends = network_.link_ends(link);
    if (!ends) return false;
    const int hosts = network_.num_hosts();
    if (ends->from < hosts && ends->to < hosts) return false;
    if (ends->from < hosts) {
      auto& cables = tree.hosts[static_cast<std::size_t>(ends->from)];
      cables.up = link;
      cables.router = ends->to;
      ++ups_[static_cast<std::size_t>(ends->from)];
    }
    if (ends->to < hosts) {
      tree.hosts[static_cast<std::size_t>(ends->to)].down = link;
      ++downs_[static_cast<std::size_t>(ends->to)];
    }
    return true;
  }

  /// Replaces the vertex by the position of the router; false unless routers ascend with hosts.
  bool number_router(RouterTree& tree, std::size_t host) {
    auto& cables = tree.hosts[host];
    if (network_.link_ends(cables.down)->from != cables.router) return false;
    if (vertices_.empty() || vertices_.back() < cables.router) {
      vertices_.push_back(cables.router);
      tree.first_host.push_back(narrow<int>(host));
    }
    if (vertices_.back() != cables.router) return false;
    cables.router = int_size(vertices_) - 1;
    return true;
  }

  const Network& network_;
  std::vector<int> ups_, downs_;
  std::vector<int> vertices_;
};

Route route_of(const Network& network, int source, int destination) {
  Route route;
  network.append_route(HostId{source}, HostId{destination}, route);
  return route;
}

/// Whether the route of every pair of hosts is up, a path between their routers, and down.
bool routes_follow_routers(const Network& network, const RouterTree& tree) {
  Route route, expected;
  for (int a = 0; a < network.num_hosts(); ++a)
    for (int b = 0; b < network.num_hosts(); ++b) {
      if (a == b) continue;
      route.clear();
      network.append_route(HostId{a}, HostId{b}, route);
      const auto &from = tree.hosts[static_cast<std::size_t>(a)],
                 &to = tree.hosts[static_cast<std::size_t>(b)];
      expected.assign(1, from.up);
      tree.append_path(network, from.router, to.router, expected);
      expected.push_back(to.down);
      if (route != expected) return false;
    }
  return true;
}

/// Fills `between` and checks that the paths between groups use it.
bool find_groups(const Network& network, const Attachment& attachment, RouterTree& tree) {
  const int size = tree.routers_per_group();
  tree.between.assign(static_cast<std::size_t>(tree.groups) * static_cast<std::size_t>(tree.groups),
                      {});
  std::vector<bool> known(tree.between.size());
  Route path, expected;
  for (int a = 0; a < tree.routers(); ++a)
    for (int b = 0; b < tree.routers(); ++b) {
      if (a / size == b / size) continue;
      const auto pair = index(a / size * tree.groups + b / size);
      path.clear();
      tree.append_path(network, a, b, path);
      for (const LinkId link : path) {
        if (known[pair]) break;
        const auto ends = network.link_ends(link);
        const auto from = attachment.router_at(ends->from), to = attachment.router_at(ends->to);
        if (!from || !to) return false;
        known[pair] = *from / size == a / size && *to / size == b / size;
        tree.between[pair] = {link, *from, *to};
      }
      if (!known[pair]) return false;
      const GroupLink& between = tree.between[pair];
      expected.clear();
      tree.append_path(network, a, between.from, expected);
      expected.push_back(between.link);
      tree.append_path(network, between.to, b, expected);
      if (path != expected) return false;
    }
  return true;
}

/// Number of the largest groups of hosts inside the network; 1 where it names none.
int groups_of(const Network& network) {
  const auto levels = network.hierarchy();
  if (levels.size() < 2) return 1;
  return narrow<int>(network.num_hosts() / levels[levels.size() - 2].hosts);
}

/// Names of everything, ready to be written.
struct Names {
  std::vector<std::string> hosts;
  std::vector<std::string> links;
  std::vector<std::string> routers;
};

/// The vertex to which `a->r0.0.1` leads; `router-<position>` if that is not one name per router.
std::vector<std::string> router_names(const Network& network, const RouterTree& tree) {
  std::vector<std::string> names;
  std::set<std::string> different;
  for (int r = 0; r < tree.routers(); ++r) {
    const auto host = static_cast<std::size_t>(tree.first_host[static_cast<std::size_t>(r)]);
    const std::string cable = network.link_name(tree.hosts[host].up);
    const auto arrow = cable.rfind("->");
    names.push_back(arrow == std::string::npos ? "" : xml_escaped(cable.substr(arrow + 2)));
    if (!names.back().empty()) different.insert(names.back());
  }
  if (different.size() != names.size())
    for (std::size_t r = 0; r < names.size(); ++r) names[r] = fmt::format("router-{}", r);
  return names;
}

Names names_of(const Network& network, const std::optional<RouterTree>& tree) {
  Names names;
  for (int h = 0; h < network.num_hosts(); ++h)
    names.hosts.push_back(xml_escaped(network.host_name(HostId{h})));
  for (int l = 0; l < network.num_links(); ++l)
    names.links.push_back(xml_escaped(network.link_name(LinkId{l})));
  if (tree) names.routers = router_names(network, *tree);
  return names;
}

class ZoneWriter {
 public:
  ZoneWriter(const Network& network, const std::optional<RouterTree>& tree,
             const std::optional<LoopbackLink>& loopback)
      : network_(network),
        names_(names_of(network, tree)),
        written_(names_.links.size()),
        loopback_(loopback) {}

  std::string all_pairs() {
    line(1, "<zone id=\"vtopo\" routing=\"Full\">");
    for (int h = 0; h < network_.num_hosts(); ++h) host(2, h);
    remaining_links(2);
    loopbacks(2, 0, network_.num_hosts());
    for (int a = 0; a < network_.num_hosts(); ++a)
      for (int b = 0; b < network_.num_hosts(); ++b) {
        if (a == b) continue;
        std::vector<LinkId> path;
        network_.append_route(HostId{a}, HostId{b}, path);
        route(2, host_name(a), host_name(b), path);
      }
    line(1, "</zone>");
    return std::move(text_);
  }

  std::string nested(const RouterTree& tree) {
    line(1, "<zone id=\"vtopo\" routing=\"Full\">");
    if (tree.groups == 1) {
      routers(2, tree, 0);
    } else {
      for (int g = 0; g < tree.groups; ++g) {
        line(2, fmt::format("<zone id=\"group-{}\" routing=\"Full\">", g));
        routers(3, tree, g);
        line(2, "</zone>");
      }
    }
    remaining_links(2);
    group_routes(tree);
    line(1, "</zone>");
    return std::move(text_);
  }

 private:
  void line(int depth, std::string_view content) {
    text_.append(index(2 * depth), ' ');
    text_ += content;
    text_ += '\n';
  }

  /// An element `<name attributes>` around the links of a route.
  void route_element(int depth, std::string_view name, std::string_view attributes,
                     const std::vector<LinkId>& path) {
    std::string content = fmt::format("<{} {} symmetrical=\"NO\">", name, attributes);
    for (const LinkId link : path)
      append_format(content, "<link_ctn id=\"{}\"/>", names_.links[index(link)]);
    line(depth, fmt::format("{}</{}>", content, name));
  }

  const std::string& host_name(int host) const {
    return names_.hosts[static_cast<std::size_t>(host)];
  }
  const std::string& router_name(int router) const {
    return names_.routers[static_cast<std::size_t>(router)];
  }

  void host(int depth, int host) {
    line(depth, fmt::format("<host id=\"{}\" speed=\"1Gf\"/>", host_name(host)));
  }

  /// A link, unless it is in the file already.
  void link(int depth, LinkId link) {
    if (written_[index(link)]) return;
    written_[index(link)] = true;
    const auto [bandwidth, latency, sharing, hops] = network_.link(link);
    line(depth,
         fmt::format("<link id=\"{}\" bandwidth=\"{}\" latency=\"{}\"{}/>",
                     names_.links[index(link)], xml_bandwidth(bandwidth), xml_latency(latency),
                     sharing == LinkSharing::fatpipe ? " sharing_policy=\"FATPIPE\"" : ""));
  }

  void remaining_links(int depth) {
    for (int l = 0; l < network_.num_links(); ++l) link(depth, LinkId{l});
  }

  /// A link from each of these hosts to itself, and its route.
  void loopbacks(int depth, int first, int last) {
    if (!loopback_) return;
    for (int h = first; h < last; ++h)
      line(depth, fmt::format("<link id=\"loopback-{}\" bandwidth=\"{}\" latency=\"{}\" "
                              "sharing_policy=\"FATPIPE\"/>",
                              host_name(h), xml_bandwidth(loopback_->bandwidth),
                              xml_latency(loopback_->latency)));
    for (int h = first; h < last; ++h)
      line(depth, fmt::format("<route src=\"{0}\" dst=\"{0}\" symmetrical=\"NO\">"
                              "<link_ctn id=\"loopback-{0}\"/></route>",
                              host_name(h)));
  }

  void route(int depth, const std::string& from, const std::string& to,
             const std::vector<LinkId>& path) {
    route_element(depth, "route", fmt::format("src=\"{}\" dst=\"{}\"", from, to), path);
  }

  void zone_route(int depth, const std::string& from, const std::string& to, int from_router,
                  int to_router, const std::vector<LinkId>& path) {
    route_element(depth, "zoneRoute",
                  fmt::format("src=\"{}\" dst=\"{}\" gw_src=\"{}\" gw_dst=\"{}\"", from, to,
                              router_name(from_router), router_name(to_router)),
                  path);
  }

  /// A router with its hosts.
  void router_zone(int depth, const RouterTree& tree, int router) {
    line(depth, fmt::format("<zone id=\"hosts-of-{}\" routing=\"Full\">", router_name(router)));
    const int first = tree.first_host[static_cast<std::size_t>(router)];
    const int last = tree.first_host[static_cast<std::size_t>(router) + 1];
    for (int h = first; h < last; ++h) host(depth + 1, h);
    line(depth + 1, fmt::format("<router id=\"{}\"/>", router_name(router)));
    for (int h = first; h < last; ++h) {
      const HostCables& cables = tree.hosts[static_cast<std::size_t>(h)];
      link(depth + 1, cables.up);
      link(depth + 1, cables.down);
    }
    loopbacks(depth + 1, first, last);
    for (int a = first; a < last; ++a) {
      const HostCables& cables = tree.hosts[static_cast<std::size_t>(a)];
      route(depth + 1, host_name(a), router_name(router), {cables.up});
      route(depth + 1, router_name(router), host_name(a), {cables.down});
      for (int b = first; b < last; ++b)
        if (a != b)
          route(depth + 1, host_name(a), host_name(b),
                {cables.up, tree.hosts[static_cast<std::size_t>(b)].down});
    }
    line(depth, "</zone>");
  }

  /// The routers of a group, the paths between them, and the links of these.
  void routers(int depth, const RouterTree& tree, int group) {
    const int first = group * tree.routers_per_group(), last = first + tree.routers_per_group();
    for (int r = first; r < last; ++r) router_zone(depth, tree, r);
    const auto each_path = [&](const auto& visit) {
      std::vector<LinkId> path;
      for (int a = first; a < last; ++a)
        for (int b = first; b < last; ++b) {
          if (a == b) continue;
          path.clear();
          tree.append_path(network_, a, b, path);
          visit(a, b, path);
        }
    };
    std::set<LinkId> used;
    each_path([&](int, int, const auto& path) { used.insert(path.begin(), path.end()); });
    for (const LinkId id : used) link(depth, id);
    if (tree.groups == 1) remaining_links(depth);  // of no route: links come before all routes
    each_path([&](int a, int b, const auto& path) {
      zone_route(depth, "hosts-of-" + router_name(a), "hosts-of-" + router_name(b), a, b, path);
    });
  }

  void group_routes(const RouterTree& tree) {
    for (int a = 0; a < tree.groups; ++a)
      for (int b = 0; b < tree.groups; ++b) {
        if (a == b) continue;
        const auto& [link, from, to] = tree.between[index(a * tree.groups + b)];
        zone_route(2, fmt::format("group-{}", a), fmt::format("group-{}", b), from, to, {link});
      }
  }

  const Network& network_;
  Names names_;
  std::vector<bool> written_;  ///< per link: SimGrid wants inner zones first, links before routes
  std::optional<LoopbackLink> loopback_;
  std::string text_;
};

}  // namespace

void RouterTree::append_path(const Network& network, int from, int to,
                             std::vector<LinkId>& links) const {
  if (from == to) return;
  const std::size_t start = links.size();
  network.append_route(HostId{first_host[static_cast<std::size_t>(from)]},
                       HostId{first_host[static_cast<std::size_t>(to)]}, links);
  if (links.size() < start + 2) return;  // no route of this tree, which router_tree() finds out
  links.erase(links.begin() + static_cast<std::ptrdiff_t>(start));  // up
  links.pop_back();                                                 // down
}

std::optional<RouterTree> router_tree(const Network& network) {
  RouterTree tree;
  Attachment attachment(network);
  if (network.num_hosts() < 2 || network.num_hosts() > max_hosts || !attachment.find(tree))
    return std::nullopt;
  if (route_of(network, 0, network.num_hosts() - 1).size() < 2 ||
      !routes_follow_routers(network, tree))
    return std::nullopt;
  tree.groups = groups_of(network);
  if (tree.routers() % tree.groups != 0 || !find_groups(network, attachment, tree)) {
    tree.groups = 1;
    tree.between.clear();
  }
  return tree;
}

std::size_t count_routes(const Network& network, const std::optional<RouterTree>& tree) {
  const auto pairs = [](std::size_t n) { return n * (n - 1); };
  if (!tree) return pairs(static_cast<std::size_t>(network.num_hosts()));
  const auto groups = static_cast<std::size_t>(tree->groups);
  std::size_t routes = pairs(groups);
  routes += groups * pairs(static_cast<std::size_t>(tree->routers_per_group()));
  for (std::size_t r = 0; r + 1 < tree->first_host.size(); ++r) {
    const auto hosts = static_cast<std::size_t>(tree->first_host[r + 1] - tree->first_host[r]);
    routes += hosts * 2 + pairs(hosts);
  }
  return routes;
}

std::string zone_element(const Network& network, const std::optional<RouterTree>& tree,
                         const std::optional<LoopbackLink>& loopback) {
  ZoneWriter writer(network, tree, loopback);
  return tree ? writer.nested(*tree) : writer.all_pairs();
}

}  // namespace vtopo::detail
