#include "netmodels/graph/link_graph.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <set>

#include "netmodels/graph/distances.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/netmodels/walks.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Case {
  const char* spec;
  bool hosts_pass_on;
};

// The hosts of tori and meshes are their routers; the others have routers and switches.
const std::vector<Case> cases{{"torus:4x3", true},
                              {"mesh:3x4", true},
                              {"torus:2x3x2m", true},
                              {"fat-tree:2;3,2;2,2;1,2", false},
                              {"dragonfly:3,1;2,1;2,1;2", false}};

/// Every third link failed, so that some pairs are far and some without a way.
std::vector<bool> some_failed(const Network& network, int every) {
  std::vector<bool> failed(static_cast<std::size_t>(network.num_links()));
  for (std::size_t l = 0; l < failed.size(); ++l)
    failed[l] = every > 0 && l % static_cast<std::size_t>(every) == 1;
  return failed;
}

}  // namespace

TEST_CASE("Distances of the link graph are those of Floyd and Warshall, with and without links") {
  for (const auto& [spec, hosts_pass_on] : cases)
    for (const int every : {0, 2, 3, 7}) {
      INFO(spec << " without every " << every);
      const auto network = make_network(spec, {});
      const auto failed = some_failed(*network, every);
      const AllDistances expected(*network, failed, hosts_pass_on);
      const auto graph = LinkGraph::of(*network, failed);
      int wrong = 0;
      for (int a = 0; a < graph->num_vertices(); ++a) {
        const auto from = graph->distances_from(a), to = graph->distances_to(a);
        for (int b = 0; b < graph->num_vertices(); ++b) {
          const auto as_far = [](int d) {
            return d == LinkGraph::unreachable ? AllDistances::far : d;
          };
          wrong += as_far(from[static_cast<std::size_t>(b)]) != expected.between(a, b);
          wrong += as_far(to[static_cast<std::size_t>(b)]) != expected.between(b, a);
        }
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("Shortest routes are walks over working links with as few links as there can be") {
  for (const auto& [spec, hosts_pass_on] : cases)
    for (const int every : {0, 3, 7}) {
      INFO(spec << " without every " << every);
      const auto network = make_network(spec, {});
      const auto failed = some_failed(*network, every);
      const AllDistances expected(*network, failed, hosts_pass_on);
      const ShortestRoutes routes(LinkGraph::of(*network, failed));
      int wrong = 0;
      for (int a = 0; a < network->num_hosts(); ++a)
        for (int b = 0; b < network->num_hosts(); ++b) {
          std::vector<LinkId> route;
          routes.append_route(HostId{a}, HostId{b}, route);
          if (expected.between(a, b) == AllDistances::far)
            wrong +=
                !route.empty() || routes.distance(HostId{a}, HostId{b}) != LinkGraph::unreachable;
          else
            wrong += !is_walk(*network, route, HostId{a}, HostId{b}, failed) ||
                     static_cast<int>(route.size()) != expected.between(a, b);
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("An even split conserves the flow at every vertex and uses shortest ways only") {
  for (const auto& [spec, hosts_pass_on] : cases) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto failed = some_failed(*network, 7);
    const AllDistances expected(*network, failed, hosts_pass_on);
    const auto graph = LinkGraph::of(*network, failed);
    const ShortestRoutes routes(graph);
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        if (a == b || expected.between(a, b) == AllDistances::far) continue;
        std::vector<LinkShare> shares;
        routes.append_shares(HostId{a}, HostId{b}, shares);
        std::vector<double> balance(static_cast<std::size_t>(graph->num_vertices()));
        double hops = 0;
        std::set<LinkId> links;
        for (const auto& [link, share] : shares) {
          const auto ends = *network->link_ends(link);
          balance[static_cast<std::size_t>(ends.from)] -= share;
          balance[static_cast<std::size_t>(ends.to)] += share;
          hops += share;
          links.insert(link);
        }
        balance[static_cast<std::size_t>(a)] += 1;
        balance[static_cast<std::size_t>(b)] -= 1;
        double worst = 0;
        for (const double left : balance) worst = std::max(worst, std::abs(left));
        CHECK(worst < 1e-12);
        CHECK(links.size() == shares.size());
        CHECK(hops == Approx(expected.between(a, b)));
      }
  }
}

TEST_CASE("An even split over a square torus takes each of the ways of a diagonal alike") {
  // Torus 3x3, 0 to 4 = (1,1): two ways of two links, each with half of the flow.
  const auto network = make_network("torus:3x3", {});
  const ShortestRoutes routes(LinkGraph::of(*network));
  std::vector<LinkShare> shares;
  routes.append_shares(HostId{0}, HostId{4}, shares);
  CHECK(shares.size() == 4);
  for (const auto& [link, share] : shares) CHECK(share == 0.5);
}

TEST_CASE("Ties are broken in different ways for different destinations") {
  // A host below one leaf sends to 16 hosts below another; eight of 16 up-links each is the ideal.
  const auto network = make_network("fat-tree:2;16,2;1,8;1,1", {});
  const ShortestRoutes routes(LinkGraph::of(*network));
  std::set<LinkId> up;
  for (int b = 16; b < 32; ++b) {
    std::vector<LinkId> route;
    routes.append_route(HostId{0}, HostId{b}, route);
    REQUIRE(route.size() == 4);
    up.insert(route[1]);
  }
  CHECK(up.size() >= 4);
}

TEST_CASE("Distance summaries say the most, the mean and whether they looked at all pairs") {
  // SimGrid 3.32: torus 4,4,4 mean 3.0476, at most 6; fat tree 2;4,4;1,2;1,2 mean 3.6, at most 4.
  for (const auto& [spec, diameter, mean] :
       {std::tuple("torus:4x4x4", 6, 3.0476), std::tuple("fat-tree:2;4,4;1,2;1,2", 4, 3.6)}) {
    const auto network = make_network(spec, {});
    for (const auto& summary :
         {route_distances(*network), link_distances(*LinkGraph::of(*network), *network)}) {
      CHECK(summary.exact);
      CHECK(summary.diameter == diameter);
      CHECK(summary.mean == Approx(mean).epsilon(1e-4));
      CHECK(summary.unreached == 0);
    }
  }
  // A ring of 3,000: random hosts see at most the true diameter of 1,500 and about its mean of 750.
  const auto ring = make_network("torus:3000", {});
  const auto drawn = link_distances(*LinkGraph::of(*ring), *ring);
  CHECK_FALSE(drawn.exact);
  CHECK(drawn.hosts_looked_at == 2048);
  CHECK(drawn.diameter == 1500);  // every source sees its opposite host
  CHECK(drawn.mean == Approx(750).epsilon(0.01));
}

TEST_CASE("Links that are no hops do not lengthen shortest paths") {
  // On a 4x4 torus each host reaches the others in 32 hops together, at most 4 (1,1,2 per ring).
  for (const std::string keys : {"", ",injection=5GBps", ",nics=2,injection=5GBps"}) {
    const auto network = make_network("torus:4x4" + keys, {});
    const auto summary = link_distances(*LinkGraph::of(*network), *network);
    CHECK(summary.diameter == 4);
    CHECK(summary.mean == Approx(32.0 / 15));
  }
  // Two links more inside of nodes; routes are shortest on a torus.
  const auto nodes = make_network("torus:4x4,node=2:pcie=9GBps,injection=5GBps", {});
  const auto summary = link_distances(*LinkGraph::of(*nodes), *nodes);
  CHECK(summary.diameter == 6);
  CHECK(summary.mean == Approx(route_distances(*nodes).mean));
}

TEST_CASE("Hosts that links do not join form groups") {
  // Line of 6 cut between 1 and 2 in one direction and between 3 and 4 in both.
  const auto line = make_network("mesh:6", {});
  std::vector<bool> failed(static_cast<std::size_t>(line->num_links()));
  for (int l = 0; l < line->num_links(); ++l) {
    const auto ends = *line->link_ends(LinkId{l});
    const int least = std::min(ends.from, ends.to);
    failed[static_cast<std::size_t>(l)] = least == 3 || (ends.from == 1 && ends.to == 2);
  }
  const auto graph = LinkGraph::of(*line, failed);
  const auto groups = connected_hosts(*graph, *line);
  const std::vector<std::vector<HostId>> expected{
      {HostId{0}, HostId{1}}, {HostId{2}, HostId{3}}, {HostId{4}, HostId{5}}};
  CHECK(groups == expected);
  // {0,1} to {2,3}: 4 pairs; {0..3} to {4,5} and back: 16.
  CHECK(link_distances(*graph, *line).unreached == 20);
}
