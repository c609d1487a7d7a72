#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/comm_graph.hpp"

using namespace vtopo;

namespace {

/// Plane of each switch: switches that reach each other without passing a host.
std::vector<int> planes_of_switches(const Network& network) {
  std::vector<int> plane;
  const auto of = [&](int vertex) -> int& {
    const auto v = static_cast<std::size_t>(vertex);
    while (plane.size() <= v) plane.push_back(static_cast<int>(plane.size()));
    return plane[v];
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int l = 0; l < network.num_links(); ++l) {
      const LinkEnds ends = *network.link_ends(LinkId{l});
      if (ends.from < network.num_hosts() || ends.to < network.num_hosts()) continue;
      const int least = std::min(of(ends.from), of(ends.to));
      changed = changed || of(ends.from) != least || of(ends.to) != least;
      of(ends.from) = of(ends.to) = least;
    }
  }
  return plane;
}

}  // namespace

TEST_CASE("Rails of a fat tree are trees that only hosts join") {
  const auto one = make_network("fat-tree:2;4,4;1,4;1,1", {});
  const auto rails = make_network("fat-tree:2;4,4;1,4;1,1,rails=3", {});
  CHECK(rails->description() == "fat-tree:2;4,4;3,4;1,1");
  CHECK(rails->num_hosts() == one->num_hosts());
  CHECK(rails->num_links() == 3 * one->num_links());
  CHECK(rails->diameter() == one->diameter());
  CHECK(rails->injection_bandwidth(HostId{5}) == one->injection_bandwidth(HostId{5}) * 3);
  CHECK(rails->bisection()->bandwidth == one->bisection()->bandwidth * 3);
  const auto plane = planes_of_switches(*rails);
  std::set<int> planes(plane.begin() + rails->num_hosts(), plane.end());
  CHECK(planes.size() == 3);
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) {
      CHECK(rails->hops(HostId{a}, HostId{b}) == one->hops(HostId{a}, HostId{b}));
      // Each flow stays in the plane of its destination modulo 3.
      std::vector<LinkId> route, other;
      rails->append_route(HostId{a}, HostId{b}, route);
      rails->append_route(HostId{(a + 1) % 16}, HostId{(b + 3) % 15}, other);
      if (route.empty() || other.empty() || (b + 3) % 15 % 3 != b % 3) continue;
      const auto plane_of = [&](const std::vector<LinkId>& links) {
        return plane[static_cast<std::size_t>(rails->link_ends(links.front())->to)];
      };
      CHECK(plane_of(route) == plane_of(other));
    }
}

TEST_CASE("Two rails of a fat tree halve the time of what splits over both") {
  // By hand: 8 hosts send 1 GB each to the 8 others over cables of 1 GB/s: 1 s over one cable, half
  // of it with both.
  const auto seconds = [](const std::string& spec, Routing rule) {
    const auto network = make_network(spec, {{1e9}, {0}}, {rule});
    std::vector<DirectedEdge> edges;
    std::vector<HostId> hosts;
    for (int h = 0; h < 16; ++h) {
      hosts.push_back(HostId{h});
      edges.push_back({Rank{h}, Rank{(h + 8) % 16}, {1e9}});
    }
    const CommGraph guest(16, edges);
    const Embedding embedding(hosts, make_allocation(*network, "all", std::vector{1}, 1));
    const double congestion = evaluate(guest, *network, embedding).max_congestion.value;
    if (rule == Routing::simgrid)
      CHECK(simulate(guest, *network, embedding, {}).makespan.value == Approx(congestion));
    return congestion;
  };
  CHECK(seconds("fat-tree:2;4,4;1,4;1,1", Routing::simgrid) == Approx(1));
  CHECK(seconds("fat-tree:2;4,4;1,4;1,1,rails=2", Routing::simgrid) == Approx(1));
  CHECK(seconds("fat-tree:2;4,4;1,4;1,1,rails=2", Routing::ecmp) == Approx(0.5));
}

TEST_CASE("Rails that are no number of planes are refused in one sentence") {
  const auto error_of = [](const std::string& spec) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}); });
  };
  CHECK_THAT(error_of("fat-tree:1;4;1;1,rails=0"), Catch::Contains("rails 0 in"));
  CHECK_THAT(error_of("fat-tree:1;4;2;1,rails=2147483647"),
             Catch::Contains("accepted are up to 2147483647 planes"));
  CHECK_THAT(error_of("fat-tree:1;4;1;1,rails=2147483647"), Catch::Contains("2147483647"));
}
