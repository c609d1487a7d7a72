#include <catch2/catch.hpp>

#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/mpi/periodicities.hpp"
#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;

TEST_CASE("Without reordering each process keeps its rank in a grid") {
  const Communicator old(ProcessGroup(processes({5, 3, 8, 1})));
  const Communicator grid = cart_create(old, Cartesian({{2}, {2}}));
  CHECK(compare(old, grid) == Comparison::congruent);
  CHECK(topo_test(grid) == TopologyKind::cart);
  CHECK_FALSE(topo_test(old));
}

TEST_CASE("A grid smaller than the group leaves the last processes without a communicator") {
  const Communicator grid = cart_create(world(7), Cartesian({{2}, {3}}));
  CHECK(grid.size() == 6);
  CHECK(grid.rank_of(ProcessId{5}) == Rank{5});
  CHECK_FALSE(grid.rank_of(ProcessId{6}));
}

TEST_CASE("A grid of zero dimensions has one process") {
  const Communicator grid = cart_create(world(3), Cartesian({}));
  CHECK(grid.size() == 1);
  CHECK(grid.rank_of(ProcessId{0}) == Rank{0});
  CHECK(cartdim_get(grid) == 0);
}

TEST_CASE("A grid of any number of dimensions is a grid") {
  const std::vector<Dimension> thirty(30, Dimension{2, periodic});
  const Communicator grid = cart_create(world(1 << 30), Cartesian(thirty));
  CHECK(cartdim_get(grid) == 30);
  CHECK(cart_coords(grid, Rank{(1 << 30) - 1}) == std::vector<int>(30, 1));
}

TEST_CASE("Nothing of the old virtual topology is carried over to a new one") {
  const Communicator grid = cart_create(world(4), Cartesian({Dimension{4}}));
  const auto graph = graph_create(grid, Graph({ranks({1}), ranks({0}), {}, {}}));
  CHECK(topo_test(*graph) == TopologyKind::graph);
}

TEST_CASE("A grid or a graph larger than the group is an error") {
  CHECK(class_of([] { cart_create(world(5), Cartesian({{2}, {3}})); }) == "MPI_ERR_DIMS");
  CHECK(class_of([] { cart_map(world(5), Cartesian({{2}, {3}})); }) == "MPI_ERR_DIMS");
  const Graph three({ranks({1}), {}, {}});
  CHECK(class_of([&] { graph_create(world(2), three); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { graph_map(world(2), three); }) == "MPI_ERR_ARG");
}

TEST_CASE("A graph may be smaller than the group, and one of 0 ranks gives nobody a communicator") {
  const auto two = graph_create(world(5), Graph({ranks({1}), ranks({0})}));
  CHECK(two->size() == 2);
  CHECK_FALSE(two->rank_of(ProcessId{2}));
  CHECK_FALSE(graph_create(world(5), Graph(std::vector<std::vector<Rank>>())));
  CHECK(with_nulls(graph_map(world(2), Graph(std::vector<std::vector<Rank>>()))) ==
        std::vector{-1, -1});
}

TEST_CASE("A graph keeps multi-edges, self loops and asymmetry") {
  const auto comm = graph_create(world(3), Graph({ranks({0, 2, 2}), {}, ranks({1})}));
  CHECK(graph_neighbors(*comm, Rank{0}) == ranks({0, 2, 2}));
  CHECK(graph_neighbors_count(*comm, Rank{1}) == 0);
  CHECK(graph_neighbors(*comm, Rank{2}) == ranks({1}));
}

TEST_CASE("The index and the edges of a graph must fit together") {
  const auto graph = [](std::vector<int> index, std::vector<Rank> edges) {
    return class_of([&] { Graph(index, edges); });
  };
  CHECK(graph({1, 2}, ranks({1, 0})) == "no error");
  CHECK(graph({2, 1}, ranks({1, 0})) == "MPI_ERR_ARG");
  CHECK(graph({-1, 2}, ranks({1, 0})) == "MPI_ERR_ARG");
  CHECK(graph({1, 3}, ranks({1, 0})) == "MPI_ERR_ARG");
  CHECK(graph({}, ranks({1})) == "MPI_ERR_ARG");
  CHECK(graph({1, 2}, ranks({1, 2})) == "MPI_ERR_RANK");
  CHECK(graph({1, 2}, ranks({-1, 0})) == "MPI_ERR_RANK");
}

TEST_CASE("cart_sub keeps all dimensions, none, or some, with their periodicity") {
  const Communicator grid = cart_create(world(6), Cartesian({{2, periodic}, {3, not_periodic}}));
  const Partition all = cart_sub(grid, {true, true});
  REQUIRE(all.parts().size() == 1);
  CHECK(compare(all.parts()[0], grid) == Comparison::congruent);
  CHECK(cart_get(all.parts()[0], Rank{0}).dimensions == cart_get(grid, Rank{0}).dimensions);
  const Partition none = cart_sub(grid, {false, false});
  REQUIRE(none.parts().size() == 6);
  CHECK(none.of(Rank{4})->size() == 1);
  CHECK(none.of(Rank{4})->rank_of(ProcessId{4}) == Rank{0});
  CHECK(cartdim_get(*none.of(Rank{4})) == 0);
  const Partition columns = cart_sub(grid, {true, false});
  REQUIRE(columns.parts().size() == 3);
  CHECK(cart_get(columns.parts()[1], Rank{0}).dimensions == std::vector<Dimension>{{2, periodic}});
  CHECK(columns.parts()[1].process(Rank{1}) == ProcessId{4});  // (1, 1)
}

TEST_CASE("cart_sub of a grid of zero dimensions is a grid of zero dimensions") {
  const Communicator grid = cart_create(world(3), Cartesian({}));
  const Partition partition = cart_sub(grid, {});
  REQUIRE(partition.parts().size() == 1);
  CHECK(cartdim_get(partition.parts()[0]) == 0);
  CHECK(partition.parts()[0].size() == 1);
}

TEST_CASE("cart_sub wants a grid and one word per dimension") {
  const Communicator grid = cart_create(world(6), Cartesian({{2}, {3}}));
  CHECK(class_of([&] { cart_sub(grid, {true}); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { cart_sub(grid, {true, false, true}); }) == "MPI_ERR_DIMS");
  CHECK(class_of([] { cart_sub(world(6), {true}); }) == "MPI_ERR_TOPOLOGY");
}
