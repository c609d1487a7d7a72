#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/search/greedy_construction.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/id_vector.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const auto ring_of_six = make_torus({{{6}}, {}});
const Allocation uneven_slots{{HostId{4}, HostId{1}, HostId{3}}, {1, 3, 2}};

/// The guest with its ranks renamed by a random permutation, so that order carries no information.
CommGraph renamed(const CommGraph& guest, std::uint64_t seed) {
  std::vector<Rank> names = all_ranks(guest.num_ranks());
  Random random(seed);
  shuffle(std::span(names), random);
  std::vector<DirectedEdge> edges;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({names[index(source)], names[index(edge.destination)], edge.volume});
  });
  return CommGraph(guest.num_ranks(), edges);
}

double hops_per_byte(std::string_view mapper, const CommGraph& guest, const Network& network,
                     const Allocation& allocation) {
  const auto spec = parse_mappers(mapper).front();
  const auto embedding = run_mapper(spec, {guest, network, allocation});
  return evaluate(guest, network, embedding).mean_hops_per_byte;
}

}  // namespace

TEST_CASE("Block fills one host after the other") {
  const CommGraph guest(5);
  CHECK(tests::numbers_of(run_mapper({"block", {}}, {guest, *ring_of_six, uneven_slots}).hosts()) ==
        std::vector{4, 1, 1, 1, 3});
}

TEST_CASE("Round robin takes hosts in turn and skips full ones") {
  const CommGraph guest(6);
  CHECK(tests::numbers_of(
            run_mapper({"round_robin", {}}, {guest, *ring_of_six, uneven_slots}).hosts()) ==
        std::vector{4, 1, 3, 1, 3, 1});
  const auto all = make_allocation(*ring_of_six, "all", std::vector{2}, 1);
  const CommGraph eight(8);
  CHECK(tests::numbers_of(run_mapper({"round_robin", {}}, {eight, *ring_of_six, all}).hosts()) ==
        std::vector{0, 1, 2, 3, 4, 5, 0, 1});
}

TEST_CASE("Random placement draws every slot equally often") {
  // Two ranks into 6 slots, 6000 seeds: each slot takes a rank 1000 times on average (standard
  // deviation 29), so hosts with 1, 3 and 2 slots take 1000, 3000 and 2000.
  const CommGraph guest(2);
  std::vector<std::vector<int>> taken(2, std::vector<int>(6, 0));
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const auto hosts = tests::numbers_of(
        run_mapper({"random", {}}, {guest, *ring_of_six, uneven_slots, nullptr, seed}).hosts());
    for (std::size_t r = 0; r < 2; ++r) ++taken[r][static_cast<std::size_t>(hosts[r])];
  }
  for (const auto& rank : taken) {
    CHECK(std::abs(rank[4] - 1000) < 150);
    CHECK(std::abs(rank[1] - 3000) < 200);
    CHECK(std::abs(rank[3] - 2000) < 200);
  }
}

TEST_CASE("Random placement of a full allocation uses every slot") {
  const CommGraph guest(6);
  auto hosts =
      tests::numbers_of(run_mapper({"random", {}}, {guest, *ring_of_six, uneven_slots}).hosts());
  std::sort(hosts.begin(), hosts.end());
  CHECK(hosts == std::vector{1, 1, 1, 3, 3, 4});
}

TEST_CASE("Greedy puts the heaviest rank first and its partners around it, by hand") {
  // Chain 2 =10= 0 -4- 1 -1- 3 on a ring of 6. Heaviest is rank 0 (28 with both directions): host
  // 0. Strongest is rank 2: host 1 (hosts 1 and 5 tie, the first wins). Then rank 1 (8): host 5.
  // Then rank 3, next to rank 1: host 4.
  std::vector<DirectedEdge> edges;
  const auto join = [&](int a, int b, double volume) {
    edges.push_back({Rank{a}, Rank{b}, {volume}});
    edges.push_back({Rank{b}, Rank{a}, {volume}});
  };
  join(2, 0, 10);
  join(0, 1, 4);
  join(1, 3, 1);
  const CommGraph guest(4, edges);
  const auto all = make_allocation(*ring_of_six, "all", std::vector{1}, 1);
  CHECK(tests::numbers_of(run_mapper({"greedy", {}}, {guest, *ring_of_six, all}).hosts()) ==
        std::vector{0, 5, 1, 4});
  // With two slots per host ranks 0 and 2 share a host, and so do 1 and 3.
  const auto pairs = make_allocation(*ring_of_six, "all", std::vector{2}, 1);
  CHECK(tests::numbers_of(run_mapper({"greedy", {}}, {guest, *ring_of_six, pairs}).hosts()) ==
        std::vector{0, 1, 0, 1});
}

TEST_CASE("Exchange finds the only optimum of a chain on a mesh") {
  // A chain in random order on a path of 5: identity has 8 directed edges of one hop, no less.
  const auto path = make_torus({{{5, false}}, {}});
  const auto all = make_allocation(*path, "all", std::vector{1}, 1);
  CHECK(hops_per_byte("exchange", renamed(unit_grid({5}), 3), *path, all) == 1.0);
}

TEST_CASE("Exchange moves ranks into free slots") {
  // Two partners at both ends of a path with a free host between them.
  const auto path = make_torus({{{3, false}}, {}});
  const Allocation ends{{HostId{0}, HostId{2}, HostId{1}}, {1, 1, 1}};
  CHECK(hops_per_byte("block", unit_grid({2}), *path, ends) == 2.0);
  CHECK(hops_per_byte("exchange:start=block", unit_grid({2}), *path, ends) == 1.0);
}

TEST_CASE("Greedy finds the identity of a grid whose ranks are in drawn order") {
  // Optimum 1 hop per byte (every neighbour next door); the average pair of a torus 8x8 is 4.06
  // hops apart.
  const auto torus = make_torus({{{8}, {8}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = renamed(unit_grid({8, 8}), 5);
  CHECK(hops_per_byte("random", guest, *torus, all) > 3.5);
  CHECK(hops_per_byte("greedy", guest, *torus, all) == 1.0);
  CHECK(hops_per_byte("exchange:start=random", guest, *torus, all) < 2.5);
}

TEST_CASE("Greedy searches large grids ring by ring and finds what looking everywhere finds") {
  // Without its last host the mesh is not a whole grid: then all places are looked at.
  const auto mesh = make_torus({{{17, false}, {17, false}, {17, false}}, {}});
  const auto all = make_allocation(*mesh, "all", std::vector{1}, 1);
  const auto most = make_allocation(*mesh, "first:4912", std::vector{1}, 1);
  for (const CommGraph& guest : {drawn_graph(200, 700, 3), renamed(unit_grid({6, 5, 7}), 4)})
    CHECK(run_mapper({"greedy", {}}, {guest, *mesh, all}).hosts() ==
          run_mapper({"greedy", {}}, {guest, *mesh, most}).hosts());
}

TEST_CASE("Rings around a place have its hops") {
  const auto torus = make_torus({{{4}, {5, false}, {3}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  auto rings = GridRings::of(*torus, all).value();
  for (int centre = 0; centre < 60; ++centre) {
    int visited = 0;
    rings.around(Place{centre}, [&](Place place, int hops) {
      ++visited;
      if (number(place) != centre)
        CHECK(torus->hops(HostId{centre}, HostId{number(place)}) == hops);
      return true;
    });
    CHECK(visited == 60);
  }
}

TEST_CASE("Exchange improves a greedy embedding of an irregular guest") {
  const auto torus = make_torus({{{8}, {8}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = drawn_graph(64, 200, 5);
  const double greedy = hops_per_byte("greedy", guest, *torus, all);
  CHECK(greedy < hops_per_byte("random", guest, *torus, all));
  CHECK(hops_per_byte("exchange", guest, *torus, all) < greedy);
}

TEST_CASE("Exchange improves beyond the size at which all pairs are tried") {
  const auto torus = make_torus({{{14}, {14}, {14}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = renamed(unit_grid({50, 50}), 5);
  const double greedy = hops_per_byte("greedy", guest, *torus, all);
  CHECK(hops_per_byte("exchange", guest, *torus, all) < greedy);
  const double random = hops_per_byte("random", guest, *torus, all);
  CHECK(hops_per_byte("exchange:start=random", guest, *torus, all) < random / 1.5);
}

TEST_CASE("A mapper tells its progress from 0 to 1") {
  const auto torus = make_torus({{{16}, {16}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = unit_grid({16, 16});
  const auto name = GENERATE(as<std::string>(), "greedy", "exchange");
  std::vector<double> told;
  SearchControl control;
  control.progress = [&](double done) { told.push_back(done); };
  run_mapper({name, {}}, {guest, *torus, all}, control);
  REQUIRE(told.size() > 1);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.front() >= 0);
  CHECK(told.back() == 1);
}
