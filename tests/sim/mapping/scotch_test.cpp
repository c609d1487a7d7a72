#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/adapters/scotch.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Hosts of a selection, one slot each, as Scotch's target.
struct Target {
  std::shared_ptr<const Network> network;
  Allocation allocation;
  HopTable table;
  TargetHosts hosts;
  ScotchTarget target;

  Target(const std::string& specification, const std::string& selection)
      : network(make_network(specification, {})),
        allocation(make_allocation(*network, selection, std::vector{1}, 1)),
        table(*network, allocation),
        hosts(target_hosts(*network, allocation, table, allocation.num_hosts())),
        target(*network, allocation, table, hosts) {}
};

double hops_per_byte(const CommGraph& guest, const std::string& network, MapperSpec spec,
                     std::string_view selection = "all", int slots = 1) {
  const auto host = make_network(network, {});
  const auto allocation = make_allocation(*host, selection, std::vector{slots}, 1);
  return evaluate(guest, *host, run_mapper(spec, {guest, *host, allocation})).mean_dilation;
}

}  // namespace

TEST_CASE("Scotch sees the hops of the network between its hosts in their order") {
  // Scale 2: Scotch counts levels of a tree, hops lead up and down.
  const auto [specification, selection, scale] = GENERATE(table<std::string, std::string, int>(
      {{"torus:4x3x5", "all", 1},
       {"torus:7", "all", 1},
       {"torus:2x5", "all", 1},
       {"mesh:4x3x2", "all", 1},
       {"mesh:5x1x3", "all", 1},
       {"mesh:6", "all", 1},
       {"mesh:4x3x2", "list:23,0,7,11", 1},
       {"torus:3x2x3x2x4", "all", 1},
       {"torus:4x3x5", "list:59,0,7,31,30,12", 1},
       {"fat-tree:2;4,3;1,2;1,1", "all", 1},
       {"fat-tree:3;2,3,4;1,1,1;1,1,1", "all", 1},
       {"fat-tree:3;2,3,4;1,1,1;1,1,1", "list:23,0,1,7,6", 1}}));
  INFO(specification << " " << selection);
  Target given(specification, selection);
  const int num_hosts = given.allocation.num_hosts();
  REQUIRE(given.target.num_hosts() == num_hosts);
  bool all_equal = true;
  for (int a = 0; a < num_hosts; ++a)
    for (int b = 0; b < num_hosts; ++b)
      all_equal =
          all_equal && given.target.distance(a, b) == scale * given.table.hops(Place{a}, Place{b});
  CHECK(all_equal);
}

TEST_CASE("Scotch sees the levels of a dragonfly") {
  // Groups of 2 chassis of 3 blades of 2 hosts: hosts of a blade, a chassis, a group, others.
  Target given("dragonfly:4,1;2,1;3,1;2", "all");
  CHECK(given.target.distance(0, 1) == 2);
  CHECK(given.target.distance(0, 2) == 3);
  CHECK(given.target.distance(0, 6) == 4);
  CHECK(given.target.distance(0, 12) == 6);
}

TEST_CASE("What Scotch has no closed form for is a decomposition with one terminal per host") {
  const auto specification = GENERATE(as<std::string>(), "torus:4x3m", "torus:3x2x3x2x3x3",
                                      "mesh:3x3x3x3", "torus:4x4,per_router=2");
  Target given(specification, "all");
  CHECK(given.target.num_hosts() == given.network->num_hosts());
  CHECK_FALSE(given.target.distance(0, 1));
}

TEST_CASE("Only the part of a machine that the ranks fill is a target") {
  const auto network = make_network("torus:4x4", {});
  const auto allocation = make_allocation(*network, "all", std::vector{2}, 1);
  const HopTable table(*network, allocation);
  const TargetHosts hosts = target_hosts(*network, allocation, table, 7);
  CHECK(hosts.places.size() == 4);
  CHECK(hosts.ranks == std::vector{2, 2, 2, 1});
}

TEST_CASE("Scotch finds the optimum where it is plain") {
  // A ring of 8 ranks on a ring of 8 hosts; two pairs that talk on two hosts of two slots; a line
  // on one-way links, where the decomposition is used.
  CHECK(hops_per_byte(unit_grid({8}, Periodicity::periodic), "torus:8", {"scotch", {}}) == 1);
  const CommGraph pairs(
      4, std::vector<DirectedEdge>{{Rank{0}, Rank{3}, {5}}, {Rank{1}, Rank{2}, {5}}});
  CHECK(hops_per_byte(pairs, "mesh:2", {"scotch", {}}, "all", 2) == 0);
  CHECK(hops_per_byte(pairs, "torus:16x2m,per_router=3", {"scotch", {}}, "list:0,1,48,49") == 2);
}

TEST_CASE("Heavy edges matter to Scotch more than light ones") {
  // Two triangles of heavy edges joined by light ones on two switches of three hosts: a heavy edge
  // inside a switch has 2 hops, so 6 heavy edges have 12, and the light ones 3 * 4.
  std::vector<DirectedEdge> edges;
  for (const int first : {0, 1})
    for (const int r : {0, 2, 4})
      edges.push_back({Rank{first + r}, Rank{first + (r + 2) % 6}, {1e12}});
  for (const int r : {0, 2, 4}) edges.push_back({Rank{r}, Rank{r + 1}, {1}});
  const auto network = make_network("fat-tree:2;3,2;1,1;1,1", {});
  const auto allocation = make_allocation(*network, "all", std::vector{1}, 1);
  const CommGraph guest(6, edges);
  const auto metrics =
      evaluate(guest, *network, run_mapper({"scotch", {}}, {guest, *network, allocation}));
  CHECK(metrics.hop_bytes.value == 12e12 + 12);
}

TEST_CASE("Every strategy and balance ends with ranks within their slots") {
  const auto strategy = GENERATE(as<std::string>(), "default", "quality", "speed");
  const auto balance = GENERATE(as<std::string>(), "0", "0.05", "1");
  CHECK(hops_per_byte(drawn_graph(60, 300, 1), "torus:4x4x4",
                      {"scotch", {{"strategy", strategy}, {"balance", balance}}}) > 0);
}

TEST_CASE("Wrong options of the mapper scotch are refused") {
  const CommGraph guest(2);
  CHECK_THROWS_WITH(hops_per_byte(guest, "torus:4", {"scotch", {{"balance", "-1"}}}),
                    "balance \"-1\" of mapper scotch: accepted is a number from 0 to 1");
  CHECK_THROWS_WITH(hops_per_byte(guest, "torus:4", {"scotch", {{"strategy", "best"}}}),
                    "strategy \"best\" of mapper scotch: accepted are default, quality, speed");
}

TEST_CASE("More hosts than a decomposition can hold are refused") {
  const auto network = make_network("torus:4097x1x2m,per_router=2", {});
  const auto allocation = make_allocation(*network, "all", std::vector{1}, 1);
  const CommGraph guest(2);
  CHECK_THROWS_WITH(run_mapper({"scotch", {}}, {guest, *network, allocation}),
                    "mapper scotch needs at most 4096 hosts, or hosts of equal slots on a torus, "
                    "mesh, fat tree or dragonfly");
}

TEST_CASE("What Scotch says where it fails is an error and is not printed") {
  SCOTCH_Arch arch;
  SCOTCH_archInit(&arch);
  const SCOTCH_Num sizes[] = {2, 2, 2, 2, 2, 2};  // it takes five dimensions
  CHECK_THROWS_WITH(check_scotch(SCOTCH_archTorusX(&arch, 6, sizes), "build the network"),
                    "Scotch cannot build the network: SCOTCH_archTorusX: too many dimensions");
  CHECK_NOTHROW(check_scotch(0, "do nothing"));
  SCOTCH_archExit(&arch);
}
