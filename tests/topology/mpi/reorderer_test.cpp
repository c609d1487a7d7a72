#include <catch2/catch.hpp>

#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/mpi/ring_of_three.hpp"
#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;

namespace {

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

}  // namespace

TEST_CASE("A reorderer chooses which process gets which rank, and the virtual topology stays") {
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
