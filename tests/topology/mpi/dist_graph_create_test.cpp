#include <catch2/catch.hpp>

#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/mpi/ring_of_three.hpp"
#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;

TEST_CASE("A distributed graph may be given by anyone for anyone") {
  std::vector<EdgeContribution> given(3);
  given[2] = {ranks({1, 0, 1}), {1, 2, 0}, ranks({0, 2, 0}), {}};  // 1->0, 0->2, 0->0
  given[0] = {ranks({1}), {1}, ranks({0}), {}};                    // 1->0 again
  const Communicator comm = dist_graph_create(world(3), given);
  CHECK(dist_graph_neighbors(comm, Rank{0}).sources == ranks({1, 1, 0}));
  CHECK(dist_graph_neighbors(comm, Rank{0}).destinations == ranks({2, 0}));
  CHECK(dist_graph_neighbors(comm, Rank{1}).destinations == ranks({0, 0}));
  CHECK(dist_graph_neighbors_count(comm, Rank{2}).outdegree == 0);
  CHECK(comm.size() == 3);
}

TEST_CASE("After create_adjacent the order of sources and destinations is that of the call") {
  // MPI-5.0, "Topology Inquiry Functions". All three send to each other; lists in odd orders.
  const std::vector<AdjacentEdges> given{
      {ranks({2, 1}), std::vector<double>{5, 3}, ranks({1, 2}), std::vector<double>{1, 2}},
      {ranks({0, 2}), std::vector<double>{1, 6}, ranks({2, 0}), std::vector<double>{4, 3}},
      {ranks({1, 0}), std::vector<double>{4, 2}, ranks({1, 0}), std::vector<double>{6, 5}}};
  const Communicator comm = dist_graph_create_adjacent(world(3), given);
  for (int r = 0; r < 3; ++r) {
    const auto edges = dist_graph_neighbors(comm, Rank{r});
    CHECK(edges.sources == given[index(Rank{r})].sources);
    CHECK(edges.source_weights == given[index(Rank{r})].source_weights);
    CHECK(edges.destinations == given[index(Rank{r})].destinations);
    CHECK(edges.destination_weights == given[index(Rank{r})].destination_weights);
  }
}

TEST_CASE("Weights of multiple edges may be given in different sequences at their two ends") {
  const std::vector<AdjacentEdges> given{
      {{}, std::vector<double>{}, ranks({1, 1}), std::vector<double>{7, 9}},
      {ranks({0, 0}), std::vector<double>{9, 7}, {}, std::vector<double>{}}};
  const Communicator comm = dist_graph_create_adjacent(world(2), given);
  CHECK(dist_graph_neighbors(comm, Rank{1}).source_weights == std::vector<double>{9, 7});
  CHECK(dist_graph_neighbors(comm, Rank{0}).destination_weights == std::vector<double>{7, 9});
}

TEST_CASE("Both ends must give the same edges with the same weights") {
  const auto adjacent = [](const AdjacentEdges& first, const AdjacentEdges& second) {
    return class_of([&] {
      dist_graph_create_adjacent(world(2), std::vector<AdjacentEdges>{first, second});
    });
  };
  const std::vector<double> none;
  CHECK(adjacent({{}, {}, ranks({1}), {}}, {ranks({0}), {}, {}, {}}) == "no error");
  CHECK(adjacent({{}, {}, ranks({1}), {}}, {{}, {}, {}, {}}) == "MPI_ERR_ARG");
  CHECK(adjacent({{}, {}, {}, {}}, {ranks({0}), {}, {}, {}}) == "MPI_ERR_ARG");
  CHECK(adjacent({{}, {}, ranks({1, 1}), {}}, {ranks({0}), {}, {}, {}}) == "MPI_ERR_ARG");
  CHECK(adjacent({{}, none, ranks({1}), {{2.0}}}, {ranks({0}), {{3.0}}, {}, none}) ==
        "MPI_ERR_ARG");
}

TEST_CASE("An edge that its two ends do not agree on is named with its weight and counts") {
  const std::vector<double> none;
  const std::vector<AdjacentEdges> given{{{}, none, ranks({1, 1}), std::vector<double>{2, 2}},
                                         {ranks({0}), std::vector<double>{2}, {}, none}};
  try {
    dist_graph_create_adjacent(world(2), given);
    FAIL("accepted");
  } catch (const MpiError& error) {
    CHECK(error.what() ==
          std::string("edge 0 -> 1 of weight 2 is given 2 times by its source and 1 times by its "
                      "destination: the numbers must be equal"));
  }
}

TEST_CASE("Weights are given by all processes and for both lists, or by none") {
  const std::vector<double> none;
  const auto adjacent = [](const AdjacentEdges& first, const AdjacentEdges& second) {
    return condition_of([&] {
      dist_graph_create_adjacent(world(2), std::vector<AdjacentEdges>{first, second});
    });
  };
  using enum TopologyCondition;
  CHECK(adjacent({{}, none, {}, none}, {{}, none, {}, none}) == std::nullopt);
  CHECK(adjacent({{}, none, {}, none}, {{}, {}, {}, {}}) == weights_of_some);
  CHECK(adjacent({{}, {}, {}, {}}, {{}, none, {}, none}) == weights_of_some);
  CHECK(adjacent({{}, none, {}, {}}, {{}, none, {}, none}) == weights_of_some);
  std::vector<EdgeContribution> given(2);
  given[1].weights = none;
  CHECK(condition_of([&] { dist_graph_create(world(2), given); }) == weights_of_some);
  CHECK(class_of([&] { dist_graph_create(world(2), given); }) == "MPI_ERR_ARG");
}

TEST_CASE("Empty weights make a weighted graph, absent weights an unweighted one") {
  std::vector<EdgeContribution> given(2);
  CHECK(dist_graph_neighbors_count(dist_graph_create(world(2), given), Rank{0}).weighting ==
        Weighting::unweighted);
  for (auto& one : given) one.weights = std::vector<double>();
  const Communicator comm = dist_graph_create(world(2), given);
  CHECK(dist_graph_neighbors_count(comm, Rank{0}).weighting == Weighting::weighted);
  CHECK(dist_graph_neighbors(comm, Rank{0}).source_weights == std::vector<double>());
}

TEST_CASE("Lists of a distributed graph that do not fit together are errors") {
  const auto create = [](const EdgeContribution& first) {
    const std::vector<EdgeContribution> given{
        first, {{}, {}, {}, first.weights ? Weights(std::vector<double>()) : Weights()}};
    return condition_of([&] { dist_graph_create(world(2), given); });
  };
  using enum TopologyCondition;
  CHECK(create({ranks({0}), {2}, ranks({0, 1}), {}}) == std::nullopt);
  CHECK(create({ranks({0}), {}, ranks({0, 1}), {}}) == lengths_differ);
  CHECK(create({ranks({0}), {1}, ranks({0, 1}), {}}) == lengths_differ);
  CHECK(create({ranks({0}), {3}, ranks({0, 1}), {}}) == lengths_differ);
  CHECK(create({ranks({0, 1}), {-1, 3}, ranks({0, 1}), {}}) == negative_count);
  CHECK(create({ranks({0, 1}), {2147483647, 2147483647}, {}, {}}) == lengths_differ);
  CHECK(create({ranks({0}), {2}, ranks({0, 1}), {{1.0}}}) == lengths_differ);
  CHECK(create({ranks({0}), {1}, ranks({1}), {{-1.0}}}) == weight_not_finite);
  CHECK(create({ranks({0}), {1}, ranks({2}), {}}) == edge_outside);
  CHECK(create({ranks({-1}), {1}, ranks({0}), {}}) == edge_outside);
}

TEST_CASE("A collective call takes one list of edges per rank") {
  CHECK(class_of([] { dist_graph_create(world(4), ring_of_three()); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { dist_graph_create_adjacent(world(1), std::vector<AdjacentEdges>(2)); }) ==
        "MPI_ERR_ARG");
}

TEST_CASE("Info hints are kept and must be the same from all processes") {
  auto given = ring_of_three();
  for (auto& one : given) one.info = {{"quality", "best"}, {"seconds", "2"}};
  const Communicator comm = dist_graph_create(world(3), given);
  CHECK(std::get<DistGraph>(*comm.topology()).info() == given[0].info);
  given[2].info = {{"quality", "best"}, {"seconds", "3"}};
  CHECK(class_of([&] { dist_graph_create(world(3), given); }) == "MPI_ERR_INFO");
  std::vector<AdjacentEdges> adjacent(2);
  adjacent[1].info = {{"quality", "best"}};
  CHECK(class_of([&] { dist_graph_create_adjacent(world(2), adjacent); }) == "MPI_ERR_INFO");
}
