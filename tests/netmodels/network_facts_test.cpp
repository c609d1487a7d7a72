#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/support/needs_wings.hpp"

using namespace vtopo;

namespace {

const std::vector<std::string> specs{
    "torus:6",
    "torus:2x3",
    "torus:1x4",
    "torus:4x3x2",
    "torus:5x2m",
    "mesh:3x4",
    "mesh:2x1x3",
    "torus:3x2,per_router=2",
    "torus:1,per_router=3",
    "fat-tree:1;4;1;1",
    "fat-tree:2;4,4;1,2;1,2",
    "fat-tree:3;2,3,2;1,2,2;1,1,2",
    "fat-tree:2;2,3;2,1;1,2",
    "fat-tree:3;1,3,2;1,1,1;1,1,1",
    "dragonfly:3,1;2,1;3,1;2",
    "dragonfly:4,1;2,1;2,1;1,arrangement=absolute,pair_links=2",
    "dragonfly:5,1;1,1;4,1;1,arrangement=relative",
    "dragonfly:1,1;1,1;3,1;2",
    "dragonfly-plus:3;2,2;2,links=3",
    "dragonfly-plus:1;3,2;1",
    "dragonfly-plus:4;3,2;4,cells=2:3*2/4+1/2",
};

std::size_t num_vertices(const Network& network) {
  int most = network.num_hosts() - 1;
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = *network.link_ends(LinkId{l});
    most = std::max({most, ends.from, ends.to});
  }
  return static_cast<std::size_t>(most) + 1;
}

/// Kinds of the links from one host to another.
std::set<std::string> kinds_between(const Network& network, int from, int to) {
  std::vector<LinkId> route;
  network.append_route(HostId{from}, HostId{to}, route);
  std::set<std::string> kinds;
  for (const LinkId link : route)
    kinds.insert(network.link_classes()[static_cast<std::size_t>(network.link_class(link))].name);
  return kinds;
}

/// Whether hosts are in one part if and only if no route between them has a link of these kinds.
void check_parts(const Network& network, const HostPartition& partition,
                 const std::set<std::string>& kinds_outside) {
  REQUIRE(partition.part_of.size() == static_cast<std::size_t>(network.num_hosts()));
  std::set<int> parts;
  for (int a = 0; a < network.num_hosts(); ++a) {
    const int part = partition.part_of[static_cast<std::size_t>(a)];
    parts.insert(part);
    CHECK((part >= 0 && part < partition.count));
    for (int b = 0; b < network.num_hosts(); ++b) {
      const auto kinds = kinds_between(network, a, b);
      const bool leaves = std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        return kinds_outside.contains(kind);
      });
      CHECK((part == partition.part_of[static_cast<std::size_t>(b)]) == !leaves);
    }
  }
  CHECK(static_cast<int>(parts.size()) == partition.count);
}

/// Kinds of links of a fat tree from some level of switches on.
std::set<std::string> kinds_above(const Network& network, std::size_t level) {
  std::set<std::string> kinds;
  const auto all = network.link_classes();
  for (std::size_t kind = level; kind < all.size(); ++kind) kinds.insert(all[kind].name);
  return kinds;
}

/// Cells of a family that are cut off at the ends of a link: none, one or two.
int boundaries_crossed(const VertexCells& cells, const LinkEnds& ends) {
  const int from = cells.of(ends.from), to = cells.of(ends.to);
  if (from == to) return 0;
  if (cells.joined != AxisKind::complete) return 1;
  return (from >= 0 ? 1 : 0) + (to >= 0 ? 1 : 0);
}

/// Hosts within each number of hops of a host by a search in the links.
std::vector<std::int64_t> hosts_within(const LinkGraph& graph, const Network& network, int host) {
  std::vector<std::int64_t> within(static_cast<std::size_t>(2 * graph.num_vertices() + 1), 0);
  const auto distances = graph.distances_from(host);
  for (int h = 0; h < network.num_hosts(); ++h)
    if (const int distance = distances[static_cast<std::size_t>(h)];
        distance != LinkGraph::unreachable)
      ++within[static_cast<std::size_t>(distance)];
  std::partial_sum(within.begin(), within.end(), within.begin());
  return within;
}

}  // namespace

// The oracle are the kinds of links on the routes of all pairs of hosts.
TEST_CASE("Hosts are in one part where no route between them leaves it") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    for (const HostParts& parts : network->parts()) {
      INFO(parts.name);
      REQUIRE_FALSE(parts.partitions.empty());
      for (std::size_t d = 0; d < parts.partitions.size(); ++d) {
        std::set<std::string> outside{fmt::format("dimension {}", d)};
        if (parts.name == "leaf") outside = kinds_above(*network, 1);
        if (parts.name == "pod") outside = kinds_above(*network, 2);
        if (parts.name == "cell") outside = {"cell to cell"};
        if (parts.name == "group") outside = {"blue"};
        if (parts.name == "chassis") outside = {"blue", "black"};
        if (parts.name == "router") outside = {"blue", "black", "green"};
        check_parts(*network, parts.partitions[d], outside);
      }
    }
  }
}

TEST_CASE("No link counts for more than one hop in the cuts of a network") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto families = network->cuts();
    for (int l = 0; l < network->num_links(); ++l) {
      double hops = 0;
      for (const VertexCells& cells : families)
        hops += cells.hops * boundaries_crossed(cells, *network->link_ends(LinkId{l}));
      CHECK(hops <= 1);
    }
  }
}

TEST_CASE("Every host is in a cell of each cut, and cells in a row are joined in a row") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    for (const VertexCells& cells : network->cuts()) {
      INFO(cells.name);
      std::set<int> used;
      for (int h = 0; h < network->num_hosts(); ++h) used.insert(cells.of(h));
      CHECK(static_cast<int>(used.size()) == cells.count);
      CHECK((*used.begin() == 0 && *used.rbegin() == cells.count - 1));
      for (int l = 0; l < network->num_links() && cells.joined != AxisKind::complete; ++l) {
        const auto ends = *network->link_ends(LinkId{l});
        const int from = cells.of(ends.from), to = cells.of(ends.to);
        REQUIRE((from >= 0 && to >= 0));
        const int apart = std::abs(from - to);
        CHECK((apart <= 1 || (cells.joined == AxisKind::ring && apart == cells.count - 1)));
      }
    }
  }
}

// The oracle is a breadth-first search: no route is shorter, also where links failed.
TEST_CASE("No host has more hosts near than the distance profile, whatever links are down") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto profile = network->distance_profile(network->num_hosts());
    REQUIRE_FALSE(profile.empty());
    CHECK(std::accumulate(profile.begin(), profile.end(), std::int64_t{0}) == network->num_hosts());
    const auto graph = LinkGraph::of(*network);
    for (int host = 0; host < network->num_hosts(); ++host) {
      const auto within = hosts_within(*graph, *network, host);
      std::int64_t most = 0;
      for (std::size_t h = 0; h < profile.size(); ++h) CHECK(within[h] <= (most += profile[h]));
    }
  }
}

// The oracle are the hops between all pairs of hosts.
TEST_CASE("Hosts of a site are as far from all others") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto sites = *network->sites();
    const int hosts = network->num_hosts(), per_site = sites.hosts_per_site;
    int count = 1;
    for (const NetworkAxis& axis : sites.axes) count *= axis.size;
    CHECK((sites.axes.empty() || count * per_site == hosts));
    for (int a = 0; a < hosts; ++a) {
      const int first = a / per_site * per_site;
      for (int b = 0; b < hosts; ++b)
        if (b / per_site != a / per_site)
          CHECK(network->hops(HostId{a}, HostId{b}) == network->hops(HostId{first}, HostId{b}));
        else if (a != b)
          CHECK(network->hops(HostId{a}, HostId{b}) ==
                network->hops(HostId{first}, HostId{first + 1}));
    }
  }
}

TEST_CASE("A layout holds every router of the network once") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto layout = *network->layout();
    int count = 0;
    if (const auto* planes = std::get_if<PlaneLayout>(&layout)) {
      count = 1;
      for (const LayoutAxis& axis : planes->axes) count *= axis.size;
      count += planes->first_router;
      for (int l = 0; l < network->num_links(); ++l)
        if (const auto ends = *network->link_ends(LinkId{l}); ends.from < planes->first_router)
          CHECK(planes->router_of(ends.from) == planes->router_of(ends.to));
    } else if (const auto* groups = std::get_if<GroupLayout>(&layout)) {
      count = groups->first_router + groups->start(groups->groups.size);
    } else {
      for (const LayoutLevel& level : std::get<LevelLayout>(layout).levels) count += level.vertices;
    }
    CHECK(static_cast<std::size_t>(count) == num_vertices(*network));
    std::set<std::string> names;
    for (int v = 0; v < count; ++v) names.insert(network->vertex_name(v));
    CHECK(names.size() == static_cast<std::size_t>(count));
  }
}

TEST_CASE("An edited network keeps its parts, cuts and layout and says which links are down") {
  const auto ring = make_network("torus:8", {});
  const std::string link = ring->link_name(LinkId{4});
  const auto failed = apply_edits(ring, NetworkEdits{{link}, {}, {}});
  const auto scaled = apply_edits(ring, NetworkEdits{{}, {}, {{link, 0.5}}});
  for (const auto& edited : {failed, scaled}) {
    CHECK(edited->parts().size() == 1);
    CHECK(edited->cuts().size() == 1);
    CHECK(edited->layout());
    CHECK_FALSE(edited->bisection());
    CHECK(edited->distance_profile(8) == ring->distance_profile(8));
  }
  // With a failed link hosts are no longer equally far from others.
  CHECK_FALSE(failed->sites());
  CHECK(scaled->sites());
  for (int l = 0; l < ring->num_links(); ++l) {
    CHECK(ring->link_is_up(LinkId{l}));
    CHECK(failed->link_is_up(LinkId{l}) == (l != 4));
    CHECK(scaled->link_is_up(LinkId{l}));
  }
}
