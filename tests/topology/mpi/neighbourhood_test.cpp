#include "topology/mpi/virtual_topology.hpp"

#include <catch2/catch.hpp>

#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/mpi/periodicities.hpp"
#include "tests/topology/ranks.hpp"

using namespace vtopo;

namespace {

std::vector<int> destinations(const VirtualTopology& topology, int rank) {
  return with_nulls(neighbourhood(topology, Rank{rank}).destinations);
}

std::vector<int> sources(const VirtualTopology& topology, int rank) {
  return with_nulls(neighbourhood(topology, Rank{rank}).sources);
}

std::vector<int> destinations(const CommGraph& graph, int rank) {
  std::vector<int> result;
  for (const CommEdge& edge : graph.out_edges(Rank{rank}))
    result.push_back(number(edge.destination));
  return result;
}

}  // namespace

TEST_CASE("Neighbours of a grid come per dimension, negative before positive, nobody included") {
  // Rank 0 of a 3x4 grid, open in dimension 0: nobody above, 4 below, 3 and 1 beside.
  const Cartesian grid({{3}, {4, periodic}});
  CHECK(destinations(grid, 0) == std::vector{-1, 4, 3, 1});
  CHECK(sources(grid, 0) == std::vector{-1, 4, 3, 1});
  CHECK(destinations(grid, 11) == std::vector{7, -1, 10, 8});
}

TEST_CASE("Periodic dimensions of size 1 and 2 name the same rank in both directions") {
  const Cartesian grid({{1, periodic}, {2, periodic}});
  CHECK(destinations(grid, 0) == std::vector{0, 0, 1, 1});
  CHECK(destinations(grid, 1) == std::vector{1, 1, 0, 0});
}

TEST_CASE("Open dimensions of size 1 have nobody in both directions") {
  CHECK(destinations(Cartesian({{1}, {2}}), 0) == std::vector{-1, -1, -1, 1});
  CHECK(destinations(Cartesian({}), 0).empty());
}

TEST_CASE("Neighbours of a graph come in the order of creation, repeated ones repeatedly") {
  const Graph graph({ranks({1, 1, 0}), {}});
  CHECK(destinations(graph, 0) == std::vector{1, 1, 0});
  CHECK(sources(graph, 0) == std::vector{1, 1, 0});
  CHECK(destinations(graph, 1).empty());
}

TEST_CASE("A distributed graph has sources and destinations of its own") {
  const std::vector<WeightedEdge> edges{
      {Rank{0}, Rank{1}, 3}, {Rank{1}, Rank{1}, 0}, {Rank{0}, Rank{1}, 4}};
  const DistGraph graph(3, edges);
  CHECK(sources(graph, 1) == std::vector{0, 1, 0});
  CHECK(destinations(graph, 1) == std::vector{1});
  CHECK(destinations(graph, 0) == std::vector{1, 1});
  CHECK(sources(graph, 2).empty());
}

TEST_CASE("The communication graph sends to the destinations in their order") {
  const Bytes volume[] = {Bytes{10}, Bytes{1}};
  const CommGraph halo = make_comm_graph(Cartesian({{3}, {4, periodic}}), volume);
  CHECK(destinations(halo, 0) == std::vector{4, 3, 1});
  CHECK(destinations(halo, 5) == std::vector{1, 9, 4, 6});
  CHECK(halo.out_edges(Rank{5})[1].volume.value == 10);
  CHECK(halo.out_edges(Rank{5})[2].volume.value == 1);
  CHECK(destinations(make_comm_graph(Graph({ranks({1, 1, 0}), {}}), Bytes{1}), 0) ==
        std::vector{1, 1, 0});
  const std::vector<WeightedEdge> edges{{Rank{1}, Rank{0}, 3}, {Rank{0}, Rank{1}, 0.5}};
  const CommGraph weighted = make_comm_graph(DistGraph(2, edges), Bytes{8});
  CHECK(weighted.out_edges(Rank{0})[0].volume.value == 4);
  CHECK(weighted.out_edges(Rank{1})[0].volume.value == 24);
}

TEST_CASE("A distributed graph has no rank below 0 and no weight that is no number") {
  const auto graph = [](int num_ranks, WeightedEdge edge) {
    return class_of([&] { DistGraph(num_ranks, std::span(&edge, 1)); });
  };
  CHECK(graph(2, {Rank{0}, Rank{1}, 0}) == "no error");
  CHECK(graph(2, {Rank{0}, Rank{2}, 1}) == "MPI_ERR_RANK");
  CHECK(graph(2, {Rank{-1}, Rank{0}, 1}) == "MPI_ERR_RANK");
  CHECK(graph(2, {Rank{0}, Rank{1}, -1}) == "MPI_ERR_ARG");
  CHECK(graph(2, {Rank{0}, Rank{1}, std::numeric_limits<double>::quiet_NaN()}) == "MPI_ERR_ARG");
  CHECK(graph(2, {Rank{0}, Rank{1}, std::numeric_limits<double>::infinity()}) == "MPI_ERR_ARG");
  CHECK(graph(-1, {Rank{0}, Rank{1}, 1}) == "MPI_ERR_ARG");
}
