#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr auto open = Periodicity::open;
constexpr auto periodic = Periodicity::periodic;

/// Grid with unit volumes on all hosts of a torus or mesh.
struct GridCase {
  Cartesian grid;
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;

  GridCase(const std::vector<Dimension>& dimensions, const TorusSpec& spec, int slots = 1)
      : grid(dimensions),
        network(make_torus(spec)),
        allocation(make_allocation(*network, "all", std::vector{slots}, 1)),
        guest(make_comm_graph(grid, std::vector{Bytes{1}})) {}

  Metrics metrics(const std::string& mapper) const {
    const auto embedding = run_mapper({mapper, {}}, {guest, *network, allocation, &grid});
    CHECK_NOTHROW(Embedding(embedding.hosts(), allocation));
    return evaluate(guest, *network, embedding);
  }
  /// Sum of hops over undirected edges.
  double hop_sum(const std::string& mapper) const { return metrics(mapper).hop_bytes.value / 2; }
};

std::vector<Dimension> dimensions(const std::vector<int>& sizes, Periodicity periodicity) {
  std::vector<Dimension> result;
  for (const int size : sizes) result.push_back({size, periodicity});
  return result;
}

TorusSpec hosts(const std::vector<int>& sizes, bool wraps = true) {
  TorusSpec spec;
  for (const int size : sizes) spec.dimensions.push_back({size, wraps});
  spec.routing.rule = Routing::positive;
  return spec;
}

const auto grid_mappers =
    std::vector<std::string>{"fold", "gray", "hilbert", "morton", "rowmajor", "snake"};

}  // namespace

TEST_CASE("Every grid mapper keeps all neighbours together where the sizes match up to order") {
  for (const auto& mapper : grid_mappers) {
    INFO(mapper);
    CHECK(
        GridCase(dimensions({8, 4, 2}, periodic), hosts({4, 2, 8})).metrics(mapper).max_dilation ==
        1);
    CHECK(GridCase(dimensions({4, 8}, open), hosts({8, 4}, false)).metrics(mapper).max_dilation ==
          1);
    // Slots count as a dimension: neighbours along it share a host.
    CHECK(GridCase(dimensions({2, 8, 4}, open), hosts({8, 4}), 2).metrics(mapper).max_dilation ==
          1);
  }
}

TEST_CASE("Gray codes reach the optimum of hypercube traffic on tori and meshes") {
  // Sum over the factors of 2^(n-k) W: W of a path of 2^k is 2^(2k-1) - 2^(k-1), of a cycle
  // 3*2^(2k-3) - 2^(k-1) (arXiv 2108.08177, 2201.04287, 2302.13237).
  struct {
    int bits = 0;
    TorusSpec spec;
    double optimum = 0;
  } const cases[] = {
      {12, hosts({16, 16, 16}), 67584},         // 3 * 2^8 * (96 - 8)
      {12, hosts({16, 16, 16}, false), 92160},  // 3 * 2^8 * (128 - 8)
      {6, hosts({4, 16}), 16 * 4 + 4 * 88},     // cycles of 2 and 4 bits: 6 - 2 and 96 - 8
      {3, hosts({8}, false), 28},               // 32 - 4
  };
  for (const auto& given : cases) {
    const auto guest = make_comm_graph(
        parse_virtual_topology("hypercube:" + std::to_string(given.bits)), std::vector{Bytes{1}});
    const auto network = make_torus(given.spec);
    const auto all = make_allocation(*network, "all", std::vector{1}, 1);
    const auto metrics =
        evaluate(guest, *network, run_mapper({"gray", {}}, {guest, *network, all}));
    CHECK(metrics.hop_bytes.value / 2 == given.optimum);
    if (given.optimum == 67584) CHECK(metrics.max_link_load.value == 6);
  }
}

TEST_CASE("Gray codes of a grid keep neighbours in hypercube distance one") {
  // Coordinates that follow each other differ in one bit, which sits in one host dimension.
  const GridCase given(dimensions({16, 8, 2}, open), hosts({4, 4, 16}, false));
  CHECK(given.metrics("gray").max_dilation < 16);
  CHECK(given.hop_sum("gray") < given.hop_sum("rowmajor"));
}

TEST_CASE("Folds beat the best known sums of hops of grids on tori") {
  // Closed walks over 16 x 4 have only steps of one hop; where the coarse quarters of the third
  // ring change, a step takes 4 hops: 8192 + 3 * 4 * 64. With open folds and wraps it is 9088.
  const GridCase torus(dimensions({64, 64}, periodic), hosts({16, 16, 16}));
  CHECK(torus.hop_sum("fold") <= 8960);
  CHECK(torus.hop_sum("fold") >= 8192);
  CHECK(torus.metrics("fold").max_dilation <= 4);
  CHECK(torus.metrics("fold").max_link_load.value <= 4);
  CHECK(torus.hop_sum("rowmajor") == 21888);
  // Open, 8064 edges; nested quarters of both dimensions on the third ring need 8640 hops and put 4
  // messages on a link, quarters that are arranged freely at most 8400 and 3: found by annealing
  // outside of vtopo.
  const GridCase open_torus(dimensions({64, 64}, open), hosts({16, 16, 16}));
  CHECK(open_torus.hop_sum("fold") <= 8400);
  CHECK(open_torus.metrics("fold").max_link_load.value <= 3);
  // 1984 edges; where the two halves of a ring of 8 meet, reflected, a step takes 2 hops on
  // average.
  const GridCase mesh(dimensions({32, 32}, open), hosts({16, 8, 8}));
  CHECK(mesh.hop_sum("fold") <= 2016);
  CHECK(mesh.metrics("fold").max_link_load.value <= 2);
  CHECK(mesh.hop_sum("rowmajor") == 5536);
}

TEST_CASE("A ring folds into any grid of even size with all neighbours next door") {
  // Grids with an even side have a Hamiltonian cycle, tori always.
  for (const auto& [ring, spec] :
       std::vector<std::pair<int, TorusSpec>>{{24, hosts({4, 6}, false)},
                                              {60, hosts({5, 4, 3}, false)},
                                              {15, hosts({3, 5})},
                                              {9, hosts({3, 3})},
                                              {64, hosts({4, 4, 4}, false)}})
    CHECK(GridCase(dimensions({ring}, periodic), spec).metrics("fold").max_dilation == 1);
}

TEST_CASE("A fold shares hosts with several slots among neighbours") {
  // 8x8 on 4x4 with four slots: tiles of 2x2 leave 2 * 4 * 3 edges of 2 between hosts.
  CHECK(GridCase(dimensions({8, 8}, open), hosts({4, 4}, false), 4).hop_sum("fold") == 48);
}

namespace {

/// Least sum of hops over all placements of the ranks.
double least_hop_sum(const GridCase& given) {
  std::vector<int> order(static_cast<std::size_t>(given.network->num_hosts()));
  std::iota(order.begin(), order.end(), 0);
  double least = 1e9;
  do {
    double sum = 0;
    given.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      sum +=
          given.network->hops(HostId{order[index(source)]}, HostId{order[index(edge.destination)]});
    });
    least = std::min(least, sum / 2);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace

TEST_CASE("No grid mapper is below the optimum of tiny grids, and fold is on it") {
  // The optima come from brute force over all placements.
  struct {
    std::vector<int> guest;
    Periodicity periodicity;
    std::vector<int> host;
    bool wraps;
  } const cases[] = {
      {{8}, periodic, {4, 2}, false},   {{4, 2}, open, {8}, false},
      {{4, 2}, open, {8}, true},        {{2, 2, 2}, open, {8}, true},
      {{2, 2, 2}, open, {2, 4}, false}, {{6}, periodic, {6}, false},
      {{3, 2}, periodic, {6}, true},    {{5}, open, {2, 3}, false},
      {{7}, periodic, {2, 4}, true},
  };
  for (const auto& given : cases) {
    const GridCase grid(dimensions(given.guest, given.periodicity), hosts(given.host, given.wraps));
    const double least = least_hop_sum(grid);
    CAPTURE(given.guest, given.host);
    for (const std::string mapper : {"colmajor", "fold", "hilbert", "morton", "rowmajor", "snake"})
      CHECK(grid.hop_sum(mapper) >= least);
    CHECK(grid.hop_sum("fold") == least);
  }
}

TEST_CASE("Grid mappers take any sizes, free slots and boxes of a machine") {
  for (const std::string mapper : {"colmajor", "fold", "hilbert", "morton", "rowmajor", "snake"}) {
    INFO(mapper);
    for (const auto& guest : {std::vector{5, 7}, {1, 3, 1}, {1}, {35}, {2, 3, 5}, {6, 6}})
      for (const auto& host : {std::vector{6, 6}, {40}, {2, 3, 7}, {1, 36}}) {
        const GridCase grid(dimensions(guest, periodic), hosts(host));
        CHECK(grid.hop_sum(mapper) >= 0);
        const GridCase shared(dimensions(guest, open), hosts(host, false), 5);
        CHECK(shared.hop_sum(mapper) >= 0);
      }
    const auto network = make_torus(hosts({4, 4}));
    const auto box = make_allocation(*network, "list:9,5,6,10", std::vector{3}, 1);
    const Cartesian grid({{3}, {3}});
    const auto guest = make_comm_graph(grid, std::vector{Bytes{1}});
    CHECK(run_mapper({mapper, {}}, {guest, *network, box, &grid}).num_ranks() == 9);
    const Cartesian no_dimensions((std::vector<Dimension>()));
    const CommGraph one(1);
    CHECK(run_mapper({mapper, {}}, {one, *network, box, &no_dimensions}).num_ranks() == 1);
  }
}

TEST_CASE("A fold of many dimensions ends") {
  // Far more nestings and factorings than can be tried.
  const GridCase ring(dimensions(std::vector<int>(10, 2), open), hosts({1024}));
  CHECK(ring.hop_sum("fold") <= ring.hop_sum("snake"));
  const GridCase halves(dimensions(std::vector<int>(5, 3), periodic), hosts({4, 4, 4, 4, 2}));
  CHECK(halves.hop_sum("fold") <= halves.hop_sum("snake"));
}

TEST_CASE("A fold is never worse than a snake") {
  for (const auto& guest : {std::vector{12, 10}, {7, 13}, {6, 5, 4}, {17, 3}})
    for (const auto& host : {std::vector{12, 10}, {8, 16}, {5, 5, 5}, {128}})
      for (const auto periodicity : {open, periodic}) {
        const GridCase grid(dimensions(guest, periodicity), hosts(host));
        CHECK(grid.hop_sum("fold") <= grid.hop_sum("snake"));
      }
}

TEST_CASE("Grid mappers tell why they cannot map a problem") {
  const auto torus = make_torus(hosts({4, 4}));
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto corner = make_allocation(*torus, "list:0,1,4", std::vector{1}, 1);
  const Cartesian grid(std::vector<Dimension>{{3}});
  const auto guest = make_comm_graph(grid, std::vector{Bytes{1}});
  for (const std::string mapper : {"colmajor", "fold", "hilbert", "morton", "rowmajor", "snake"}) {
    CHECK_THROWS_WITH(run_mapper({mapper, {}}, {guest, *torus, all}),
                      "mapper " + mapper + " needs a Cartesian virtual topology, such as cart:8x8");
    CHECK_THROWS_WITH(run_mapper({mapper, {}}, {guest, *torus, corner, &grid}),
                      "mapper " + mapper +
                          " needs hosts of a torus or mesh that fill a box, with the same number "
                          "of slots on every router");
  }
  CHECK_THROWS_WITH(run_mapper({"gray", {}}, {guest, *torus, all, &grid}),
                    "mapper gray needs a hypercube, or a Cartesian grid whose sizes are powers of "
                    "two");
  const auto six = make_torus(hosts({6}));
  const CommGraph two(2);
  CHECK_THROWS_WITH(
      run_mapper({"gray", {}}, {two, *six, make_allocation(*six, "all", std::vector{1}, 1)}),
      "mapper gray needs hosts of a torus or mesh whose sizes and slots are powers of two");
}

TEST_CASE("Huge numbers of slots do not need memory") {
  const auto ring = make_torus(hosts({4}));
  const auto all = make_allocation(*ring, "all", std::vector{2147483647}, 1);
  const Cartesian grid({{3}, {2}});
  const auto guest = make_comm_graph(grid, std::vector{Bytes{1}});
  for (const std::string mapper : {"colmajor", "fold", "hilbert", "morton", "rowmajor", "snake"})
    CHECK(evaluate(guest, *ring, run_mapper({mapper, {}}, {guest, *ring, all, &grid}))
              .hop_bytes.value == 0);
}
