#include <catch2/catch.hpp>

#include "tests/topology/mpi/periodicities.hpp"
#include "topology/base/error.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;

TEST_CASE("Cartesian ranks are row-major: the last dimension is the fastest") {
  // MPI-5.0 section 8.5.1: coordinates (0,0),(0,1),(1,0),(1,1) of a 2x2 grid are ranks 0..3.
  const Cartesian grid({{2, not_periodic}, {3, not_periodic}});
  CHECK(grid.num_ranks() == 6);
  CHECK(grid.coords(Rank{1}) == std::vector{0, 1});
  CHECK(grid.coords(Rank{3}) == std::vector{1, 0});
  for (int r = 0; r < 6; ++r) CHECK(grid.rank(grid.coords(Rank{r})) == Rank{r});
}

TEST_CASE("A shift ends at the border of an open dimension and wraps in a periodic one") {
  const Cartesian grid({{3, not_periodic}, {4, periodic}});
  CHECK_FALSE(grid.shift(Rank{0}, 0, 1).source);
  CHECK(grid.shift(Rank{0}, 0, 1).destination == Rank{4});
  CHECK(grid.shift(Rank{0}, 1, 1).source == Rank{3});
  CHECK(grid.shift(Rank{0}, 1, -9).destination == Rank{3});
  CHECK(grid.shift(Rank{5}, 1, 0).destination == Rank{5});
  CHECK_THROWS_AS(grid.shift(Rank{0}, 2, 1), UsageError);
}

TEST_CASE("Periodic dimensions of size 1 and 2 keep self loops and parallel edges") {
  const Bytes volume[] = {Bytes{8}};
  const auto one = make_comm_graph(Cartesian({{1, periodic}}), volume);
  REQUIRE(one.num_edges() == 2);
  CHECK(one.out_edges(Rank{0})[1].destination == Rank{0});
  const auto two = make_comm_graph(Cartesian({{2, periodic}}), volume);
  REQUIRE(two.num_edges() == 4);
  CHECK(two.out_edges(Rank{0})[0].destination == Rank{1});
  CHECK(two.out_edges(Rank{0})[1].destination == Rank{1});
}

TEST_CASE("Volumes may differ per dimension") {
  const Bytes volume[] = {Bytes{8}, Bytes{2}};
  const auto graph = make_comm_graph(Cartesian({{2, not_periodic}, {2, not_periodic}}), volume);
  REQUIRE(graph.out_edges(Rank{0}).size() == 2);
  CHECK(graph.out_edges(Rank{0})[0].destination == Rank{2});
  CHECK(graph.out_edges(Rank{0})[0].volume.value == 8);
  CHECK(graph.out_edges(Rank{0})[1].volume.value == 2);
  CHECK(graph.total_volume().value == 40);  // four edges of 8, four of 2
  const Bytes three[] = {Bytes{8}, Bytes{2}, Bytes{1}};
  CHECK_THROWS_AS(make_comm_graph(Cartesian({{2, not_periodic}, {2, not_periodic}}), three),
                  UsageError);
}

TEST_CASE("A grid with a size below 1 or too many ranks is an error") {
  CHECK_THROWS_AS(Cartesian({{8, not_periodic}, {0, not_periodic}}), UsageError);
  CHECK_THROWS_AS(Cartesian({{65536, not_periodic}, {65536, not_periodic}}), UsageError);
  CHECK(Cartesian({}).num_ranks() == 1);
}
