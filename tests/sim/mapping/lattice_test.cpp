#include <algorithm>
#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/guest_lattice.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::vector<std::pair<int, bool>> sorted_sides(const Cartesian& grid) {
  std::vector<std::pair<int, bool>> sides;
  for (const Dimension& dimension : grid.dimensions())
    sides.emplace_back(dimension.size, dimension.periodic());
  std::sort(sides.begin(), sides.end());
  return sides;
}

}  // namespace

TEST_CASE("Every shuffled grid is found again with its sizes and wraps") {
  struct Case {
    std::vector<int> sizes;
    Periodicity periodicity;
  };
  const auto grid = GENERATE(values<Case>({{{9}, Periodicity::open},
                                           {{2}, Periodicity::open},
                                           {{9}, Periodicity::periodic},
                                           {{3}, Periodicity::periodic},
                                           {{5, 7}, Periodicity::open},
                                           {{2, 3}, Periodicity::open},
                                           {{6, 5}, Periodicity::periodic},
                                           {{3, 3, 3}, Periodicity::periodic},
                                           {{3, 4, 5}, Periodicity::open},
                                           {{8, 5, 6}, Periodicity::periodic},
                                           {{2, 2, 2, 2, 2}, Periodicity::open},
                                           {{3, 2, 5, 3}, Periodicity::open}}));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto guest = shuffled(unit_grid(grid.sizes, grid.periodicity), seed);
    const auto lattice = find_lattice(Partners(guest));
    REQUIRE(lattice);
    std::vector<std::pair<int, bool>> expected;
    for (const int size : grid.sizes)
      expected.emplace_back(size, grid.periodicity == Periodicity::periodic);
    std::sort(expected.begin(), expected.end());
    CHECK(sorted_sides(lattice->grid) == expected);
    // Every edge is a step to a neighbouring cell.
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      const Rank from = lattice->cell_of[index(source)];
      bool next = false;
      for (int d = 0; d < static_cast<int>(lattice->grid.dimensions().size()); ++d) {
        const auto [before, after] = lattice->grid.shift(from, d, 1);
        const Rank to = lattice->cell_of[index(edge.destination)];
        next = next || before == to || after == to;
      }
      CHECK(next);
    });
  }
}

TEST_CASE("Rings of four are found as squares") {
  const auto guest = shuffled(unit_grid({4, 4}, Periodicity::periodic), 2);
  CHECK(sorted_sides(find_lattice(Partners(guest)).value().grid) ==
        std::vector<std::pair<int, bool>>(4, {2, false}));
}

TEST_CASE("The heavy edges of a weighted stencil give its grid") {
  std::vector<DirectedEdge> edges;
  const Cartesian grid({{6}, {5}, {4}});
  for (int a = 0; a < 120; ++a)
    for (int b = 0; b < 120; ++b) {
      const auto from = grid.coords(Rank{a}), to = grid.coords(Rank{b});
      int differing = 0;
      bool close = a != b;
      for (std::size_t d = 0; d < 3; ++d) {
        close = close && std::abs(from[d] - to[d]) <= 1;
        differing += from[d] != to[d] ? 1 : 0;
      }
      constexpr double volumes[] = {0, 100, 10, 1};
      if (close) edges.push_back({Rank{a}, Rank{b}, Bytes{volumes[differing]}});
    }
  const auto guest = shuffled(CommGraph(120, edges), 3);
  CHECK(sorted_sides(find_lattice(Partners(guest)).value().grid) ==
        std::vector<std::pair<int, bool>>{{4, false}, {5, false}, {6, false}});
}

TEST_CASE("What is no grid is not taken for one") {
  // One edge too few, one too many, a tree, a grid with a handle, and nothing at all.
  const auto edges_of = [](const CommGraph& guest) {
    std::vector<DirectedEdge> edges;
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      edges.push_back({source, edge.destination, edge.volume});
    });
    return edges;
  };
  auto edges = edges_of(unit_grid({5, 5}));
  edges.push_back({Rank{0}, Rank{24}, Bytes{1}});
  edges.push_back({Rank{24}, Rank{0}, Bytes{1}});
  CHECK_FALSE(find_lattice(Partners(CommGraph(25, edges))));
  auto fewer = edges_of(unit_grid({5, 5}));
  std::erase_if(fewer, [](const DirectedEdge& edge) {
    return number(edge.source) + number(edge.destination) == 12 + 13;
  });
  CHECK_FALSE(find_lattice(Partners(CommGraph(25, fewer))));
  std::vector<DirectedEdge> tree;
  for (int r = 1; r < 15; ++r) tree.push_back({Rank{r}, Rank{(r - 1) / 2}, Bytes{1}});
  CHECK_FALSE(find_lattice(Partners(CommGraph(15, tree))));
  CHECK_FALSE(find_lattice(Partners(drawn_graph(30, 80, 1))));
  CHECK_FALSE(find_lattice(Partners(CommGraph(6))));
  CHECK_FALSE(find_lattice(Partners(CommGraph(0))));
}

TEST_CASE("A shuffled grid lies on its own shape, and in cubes below the switches of a tree") {
  const auto guest = shuffled(unit_grid({4, 5, 6}), 4);
  const auto torus = make_network("torus:6x4x5", NetworkDefaults{}, RoutingOptions{});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  for (const auto* mapper : {"lattice", "multilevel"})
    CHECK(evaluate(guest, *torus, run_mapper({mapper, {}}, {guest, *torus, all})).max_dilation ==
          1);
  // As in the test of bisection: eight cubes of 12 inner edges of 144.
  const auto tree = make_network("fat-tree:2;8,8;1,1;1,1", NetworkDefaults{}, RoutingOptions{});
  const auto hosts = make_allocation(*tree, "all", std::vector{1}, 1);
  const auto cube = shuffled(unit_grid({4, 4, 4}), 5);
  const auto embedding = run_mapper({"lattice", {}}, {cube, *tree, hosts});
  CHECK(evaluate(cube, *tree, embedding).mean_hops_per_byte == Approx(8.0 / 3));
  const auto none = drawn_graph(30, 80, 1);
  CHECK(unsupported_reason({"lattice", {}}, {none, *tree, hosts}) ==
        "needs a guest whose heaviest edges form a grid");
}
