#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/comm_graph.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

TEST_CASE("The bisection of a dragonfly-plus by its closed form is the least cut of all halves") {
  // Cells narrower than hosts and wider, one cell to four, links that are not spread evenly.
  for (const char* spec :
       {"dragonfly-plus:4;1,3;1", "dragonfly-plus:2;2,2;2", "dragonfly-plus:2;2,2;2,links=4",
        "dragonfly-plus:2;2,1;3", "dragonfly-plus:1;3,2;2", "dragonfly-plus:3;1,2;2,links=2",
        "dragonfly-plus:3;1,2;2,links=2,bandwidth=1GBps/1GBps/100MBps",
        "dragonfly-plus:4;1,2;1,bandwidth=1GBps/1GBps/200MBps",
        "dragonfly-plus:2;2,2;2,links=3,bandwidth=4GBps/4GBps/1GBps"}) {
    CAPTURE(spec);
    check_bisection(*make_network(spec, {}));
  }
  // Unequal cells, an odd number of narrow ones, and leaves that are the narrowest: no formula.
  for (const char* spec : {"dragonfly-plus:2;2,2;2,cells=2+2/2+1", "dragonfly-plus:3;2,2;2",
                           "dragonfly-plus:4;1,1;2,links=2",
                           "dragonfly-plus:2;2,2;2,links=2,bandwidth=9GBps/1GBps/9GBps"})
    CHECK_FALSE(make_network(spec, {})->bisection());
}

TEST_CASE("The bisection of a dragonfly-plus is half of the cells' links to the other half") {
  // By hand: 4 of 8 cells have 2 links to each of 4 others, each of 10 GB/s.
  const auto bisection = make_network("dragonfly-plus:8;4,4;4,links=2", {})->bisection();
  REQUIRE(bisection);
  CHECK(bisection->links == 32);
  CHECK(bisection->bandwidth == BytesPerSecond{3.2e11});
  // Full bisection with 4 * 4 links per cell and host: 8 * 16 / 2 cables.
  CHECK(make_network("dragonfly-plus:8;4,4;4,links=16", {})->bisection()->links == 64);
}

TEST_CASE("The mean distance of a dragonfly-plus is 2, 4 or 5 links by leaf and cell") {
  // For a host: H - 1 others at 2 links, (L - 1) H at 4, (C - 1) L H at 5.
  for (const auto& [cells, leaves, hosts] :
       std::vector<std::array<int, 3>>{{5, 4, 4}, {3, 2, 5}, {2, 1, 3}}) {
    const auto network = make_network("dragonfly-plus:" + std::to_string(cells) + ";" +
                                          std::to_string(leaves) + ",3;" + std::to_string(hosts),
                                      {});
    double sum = 0;
    const int n = network->num_hosts();
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) sum += network->hops(HostId{a}, HostId{b});
    const double expected =
        2 * (hosts - 1) + 4 * (leaves - 1) * hosts + 5 * (cells - 1) * leaves * hosts;
    CHECK(sum / n == Approx(expected));
    CHECK(network->distance_profile(n) == std::vector<std::int64_t>{1, 0, hosts - 1, 0,
                                                                    (leaves - 1) * hosts,
                                                                    (cells - 1) * leaves * hosts});
  }
}

TEST_CASE("Every link of a dragonfly-plus counts for one hop over all families of cuts") {
  for (const char* spec : {"dragonfly-plus:5;4,4;4", "dragonfly-plus:4;3,2;4,cells=2:3*2/4+1/2"}) {
    const auto network = make_network(spec, {});
    REQUIRE(network->cuts().size() == 3);
    for (int l = 0; l < network->num_links(); ++l)
      CHECK(tests::hops_in_cuts(*network, LinkId{l}) == 1);
  }
}

TEST_CASE("Leaves of a dragonfly-plus without hosts are no cells of its cuts") {
  // By hand: hosts at 5 of 6 leaves, in both cells.
  const auto cuts = make_network("dragonfly-plus:2;3,2;4,cells=4+0+1/3*2", {})->cuts();
  CHECK(cuts[1].count == 5);
  CHECK(cuts[1].of(0) == 0);
  CHECK(cuts[1].of(4) == 1);
  CHECK(cuts[2].count == 2);
}

TEST_CASE("Shifts by a cell take on a dragonfly-plus in SimGrid what the busiest link says") {
  // Each host sends 1 GB to the host of its number in the next cell. 16 flows of a cell leave over
  // N links of 1 GB/s: 16/N s; with ecmp the same, and with Valiant over two links of 4 cells each:
  // two legs of 16 GB over 4 N links are 8/N s.
  const auto seconds_of = [](const std::string& spec, Routing rule) {
    const auto network = make_network(spec, {{1e9}, {0}}, {rule});
    std::vector<DirectedEdge> edges;
    std::vector<HostId> hosts;
    for (int h = 0; h < 80; ++h) {
      edges.push_back({Rank{h}, Rank{(h + 16) % 80}, {1e9}});
      hosts.push_back(HostId{h});
    }
    const CommGraph guest(80, edges);
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    const Embedding embedding(hosts, allocation);
    const double seconds = evaluate(guest, *network, embedding).max_congestion.value;
    CHECK(lower_bounds(guest, *network, allocation).congestion.value <= seconds * (1 + 1e-12));
    if (rule == Routing::simgrid) {
      SimulationOptions by_simgrid;
      by_simgrid.solver = Solver::simgrid;
      CHECK(simulate(guest, *network, embedding, by_simgrid).makespan.value == Approx(seconds));
    }
    return seconds;
  };
  CHECK(seconds_of("dragonfly-plus:5;4,4;4", Routing::simgrid) == Approx(16));
  CHECK(seconds_of("dragonfly-plus:5;4,4;4,links=4", Routing::simgrid) == Approx(4));
  CHECK(seconds_of("dragonfly-plus:5;4,4;4,links=4", Routing::ecmp) == Approx(4));
  CHECK(seconds_of("dragonfly-plus:5;4,4;4,links=4", Routing::valiant) == Approx(8. / 3));
}

TEST_CASE("Hosts of unequal cells are in sites of the most that divide every leaf") {
  const auto network = make_network("dragonfly-plus:2;3,2;6,cells=6+4/2*2", {});
  CHECK(network->sites()->hosts_per_site == 2);
  CHECK(std::get<RouterMetric>(network->hop_metric()).hosts_per_router == 2);
  CHECK(network->hierarchy().empty());
  CHECK(make_network("dragonfly-plus:2;3,2;6", {})->hierarchy().size() == 3);
}
