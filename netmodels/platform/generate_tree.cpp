#include <algorithm>
#include <map>
#include <span>

#include "netmodels/platform/generate_forms.hpp"
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

}  // namespace vtopo::detail
