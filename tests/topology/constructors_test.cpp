#include "topology/constructors.hpp"

#include <catch2/catch.hpp>

#include "mpi_error_of.hpp"
#include "ranks.hpp"
#include "topology/inquiry.hpp"

using namespace vtopo;

namespace {

constexpr auto periodic = Periodicity::periodic;
constexpr auto open = Periodicity::open;

/// Rank r of the new communicator is the last but r of the old one.
std::vector<Rank> reversed(const ReorderRequest& request) {
  std::vector<Rank> old_ranks;
  for (int r = 0; r < request.guest.num_ranks(); ++r)
    old_ranks.push_back(Rank{request.communicator.size() - 1 - r});
  return old_ranks;
}

Reorderer answering(const std::vector<Rank>& old_ranks) {
  return [old_ranks](const ReorderRequest&) { return old_ranks; };
}

/// Ring 0 -> 1 -> 2 -> 0, each rank giving its edge.
std::vector<EdgeContribution> ring_of_three() {
  std::vector<EdgeContribution> given(3);
  for (int r = 0; r < 3; ++r) given[index(Rank{r})] = {ranks({r}), {1}, ranks({(r + 1) % 3}), {}};
  return given;
}

}  // namespace

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

TEST_CASE("A graph may be smaller than the group; one of 0 ranks gives nobody a communicator") {
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
  CHECK(create({ranks({0}), {}, ranks({0, 1}), {}}) == degrees_and_sources);
  CHECK(create({ranks({0}), {1}, ranks({0, 1}), {}}) == degrees_and_destinations);
  CHECK(create({ranks({0}), {3}, ranks({0, 1}), {}}) == degrees_and_destinations);
  CHECK(create({ranks({0, 1}), {-1, 3}, ranks({0, 1}), {}}) == negative_count);
  CHECK(create({ranks({0, 1}), {2147483647, 2147483647}, {}, {}}) == degrees_and_destinations);
  CHECK(create({ranks({0}), {2}, ranks({0, 1}), {{1.0}}}) == weights_and_edges);
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

TEST_CASE("A reorderer chooses which process gets which rank; the virtual topology stays") {
  const Communicator grid = cart_create(world(7), Cartesian({{2}, {3}}), reversed);
  CHECK(grid.process(Rank{0}) == ProcessId{6});
  CHECK(grid.rank_of(ProcessId{1}) == Rank{5});
  CHECK_FALSE(grid.rank_of(ProcessId{0}));
  CHECK(cart_coords(grid, Rank{5}) == std::vector{1, 2});
  const auto graph = graph_create(world(2), Graph({ranks({1}), {}}), reversed);
  CHECK(graph->process(Rank{0}) == ProcessId{1});
  CHECK(graph_neighbors(*graph, Rank{0}) == ranks({1}));
  const Communicator ring = dist_graph_create(world(3), ring_of_three(), reversed);
  CHECK(compare(ring, world(3)) == Comparison::similar);
  CHECK(dist_graph_neighbors(ring, Rank{0}).destinations == ranks({1}));
}

TEST_CASE("A reorderer sees the old communicator and the traffic of one exchange") {
  const Communicator old(ProcessGroup(processes({9, 8, 7})));
  auto given = ring_of_three();
  for (auto& one : given) one.weights = std::vector<double>{40};
  int asked = 0;
  dist_graph_create(old, given, [&](const ReorderRequest& request) {
    ++asked;
    CHECK(request.communicator.process(Rank{0}) == ProcessId{9});
    CHECK(request.topology.index() == 2);
    CHECK(request.guest.num_edges() == 3);
    CHECK(request.guest.out_edges(Rank{2})[0].destination == Rank{0});
    CHECK(request.guest.out_edges(Rank{2})[0].volume.value == 40);
    return ranks({0, 1, 2});
  });
  CHECK(asked == 1);
}

TEST_CASE("An answer of a reorderer that is no choice of processes is MPI_ERR_OTHER") {
  const Cartesian grid({Dimension{3}});
  using enum TopologyCondition;
  const auto create = [&](std::initializer_list<int> answer) {
    return condition_of([&] { cart_create(world(4), grid, answering(ranks(answer))); });
  };
  CHECK(create({3, 0, 2}) == std::nullopt);
  CHECK(create({0, 1}) == reorder_size);
  CHECK(create({0, 1, 2, 3}) == reorder_size);
  CHECK(create({0, 1, 4}) == reorder_outside);
  CHECK(create({0, -1, 2}) == reorder_outside);
  CHECK(create({0, 1, 0}) == reorder_twice);
  CHECK(class_of([&] {
          cart_create(world(4), grid, answering(ranks({0, 1, 0})));
        }) == "MPI_ERR_OTHER");
}

TEST_CASE("A map gives each process the rank that the constructor would give it") {
  const Cartesian grid({{2}, {2}});
  CHECK(with_nulls(cart_map(world(6), grid)) == std::vector{0, 1, 2, 3, -1, -1});
  CHECK(with_nulls(cart_map(world(6), grid, reversed)) == std::vector{-1, -1, 3, 2, 1, 0});
  CHECK(with_nulls(cart_map(world(2), Cartesian({}))) == std::vector{0, -1});
  const Graph graph({ranks({1}), ranks({0}), {}});
  CHECK(with_nulls(graph_map(world(4), graph)) == std::vector{0, 1, 2, -1});
  CHECK(with_nulls(graph_map(world(4), graph, reversed)) == std::vector{-1, 2, 1, 0});
}

TEST_CASE("A split by mapped ranks makes the group that cart_create makes") {
  // "Advice to implementors" of MPI_CART_MAP: colour 0 where the new rank is defined, key = new
  // rank.
  const Cartesian grid({{2}, {2}});
  const Communicator comm = world(6);
  std::vector<SplitChoice> choices;
  for (const auto& rank : cart_map(comm, grid, reversed))
    choices.push_back(rank ? SplitChoice{0, number(*rank)} : SplitChoice{});
  CHECK(compare(split(comm, choices).parts()[0], cart_create(comm, grid, reversed)) ==
        Comparison::congruent);
}

TEST_CASE("cart_sub keeps all dimensions, none, or some, with their periodicity") {
  const Communicator grid = cart_create(world(6), Cartesian({{2, periodic}, {3, open}}));
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
