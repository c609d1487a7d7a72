#include <array>

#include "tests/conformance/cases.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

/// Open line of all ranks but the last, which gets no communicator.
int line(Stage& stage) {
  const int size = stage.any_of(0)->size() - 1;
  return stage.construct("cart_create", 0, {1, size, 0}, [&](const Communicator& old) {
    std::vector<std::optional<Communicator>> by_rank(
        static_cast<std::size_t>(size), cart_create(old, Cartesian({{size, Periodicity::open}})));
    by_rank.emplace_back();
    return by_rank;
  });
}

/// Graph in which each rank but the last has the next one as its neighbour.
int path(Stage& stage) {
  const int size = stage.any_of(0)->size();
  Words words{size};
  std::vector<std::vector<Rank>> lists(static_cast<std::size_t>(size));
  for (int r = 0; r < size; ++r) words.push_back(std::min(r + 1, size - 1));
  for (int r = 0; r + 1 < size; ++r) {
    words.push_back(r + 1);
    lists[index(Rank{r})].push_back(Rank{r + 1});
  }
  return stage.construct("graph_create", 0, words, [&](const Communicator& old) {
    return std::vector<std::optional<Communicator>>(lists.size(), graph_create(old, Graph(lists)));
  });
}

/// A constructor that vtopo must refuse.
void construct_wrongly(Stage& stage, std::string_view call, const Words& words,
                       const std::function<void(const Communicator&)>& make) {
  stage.construct(call, 0, words, [&](const Communicator& old) {
    make(old);
    return std::vector<std::optional<Communicator>>(static_cast<std::size_t>(old.size()));
  });
}

void construct_all_wrongly(Stage& stage) {
  const int above = stage.any_of(0)->size() + stage.draw(1, 9);
  construct_wrongly(stage, "cart_create", {1, above, 0}, [&](const Communicator& old) {
    cart_create(old, Cartesian({{above, Periodicity::open}}));
  });
  const int below = stage.draw(-3, -1);
  construct_wrongly(stage, "cart_create", {1, below, 0}, [&](const Communicator& old) {
    cart_create(old, Cartesian({{below, Periodicity::open}}));
  });
  const int outside = stage.draw(2, 9);
  construct_wrongly(stage, "graph_create", {2, 1, 2, 1, outside}, [&](const Communicator& old) {
    graph_create(old, Graph({{Rank{1}}, {Rank{outside}}}));
  });
  construct_wrongly(stage, "graph_create", {2, 2, 1, 0, 1}, [&](const Communicator& old) {
    graph_create(old, Graph(std::array{2, 1}, std::array{Rank{0}, Rank{1}}));
  });
}

void ask_grid_wrongly(Stage& stage, int slot) {
  const int size = stage.any_of(slot)->size();
  const int coord = stage.once_in(2) ? stage.draw(-9, -1) : stage.draw(size, size + 9);
  stage.ask("cart_rank", slot, {coord}, [&](const Caller& caller) {
    return std::to_string(number(cart_rank(caller.communicator, std::array{coord})));
  });
  const int rank = stage.once_in(2) ? stage.draw(-9, -2) : stage.draw(size, size + 9);
  stage.ask("cart_coords", slot, {rank, 1}, [&](const Caller& caller) {
    return listed(cart_coords(caller.communicator, Rank{rank}));
  });
  const int direction = stage.once_in(2) ? stage.draw(-9, -1) : stage.draw(1, 9);
  stage.ask("cart_shift", slot, {direction, 1}, [&](const Caller& caller) {
    const auto ranks = cart_shift(caller.communicator, caller.rank, direction, 1);
    return listed(std::vector{ranks.source, ranks.destination});
  });
}

void ask_graph_wrongly(Stage& stage, int slot) {
  const int size = stage.any_of(slot)->size();
  // Rank `size` is left out: Open MPI 4.1.4 reads behind its arrays there.
  const int rank = stage.once_in(2) ? stage.draw(-9, -2) : stage.draw(size + 1, size + 9);
  stage.ask("graph_neighbors_count", slot, {rank}, [&](const Caller& caller) {
    return std::to_string(graph_neighbors_count(caller.communicator, Rank{rank}));
  });
  stage.ask("graph_neighbors", slot, {rank, 1}, [&](const Caller& caller) {
    return listed(graph_neighbors(caller.communicator, Rank{rank}, 1));
  });
}

/// Asks for a topology of another kind than the communicators carry.
void ask_grid_of_another_kind(Stage& stage, int slot) {
  stage.ask("cartdim_get", slot, {},
            [](const Caller& caller) { return std::to_string(cartdim_get(caller.communicator)); });
  stage.ask("cart_shift", slot, {0, 1}, [](const Caller& caller) {
    const auto ranks = cart_shift(caller.communicator, caller.rank, 0, 1);
    return listed(std::vector{ranks.source, ranks.destination});
  });
  stage.ask("cart_coords", slot, {0, 1},
            [](const Caller& caller) { return listed(cart_coords(caller.communicator, Rank{0})); });
}

void ask_graph_of_another_kind(Stage& stage, int slot) {
  stage.ask("graphdims_get", slot, {}, [](const Caller& caller) {
    return std::to_string(graphdims_get(caller.communicator).num_ranks);
  });
  stage.ask("graph_neighbors_count", slot, {0}, [](const Caller& caller) {
    return std::to_string(graph_neighbors_count(caller.communicator, Rank{0}));
  });
  stage.ask("dist_graph_neighbors_count", slot, {}, [](const Caller& caller) {
    return std::to_string(dist_graph_neighbors_count(caller.communicator, caller.rank).indegree);
  });
}

}  // namespace

void erroneous_case(Stage& stage) {
  construct_all_wrongly(stage);
  const int grid = line(stage);
  const int graph = path(stage);
  ask_grid_wrongly(stage, grid);
  ask_graph_wrongly(stage, graph);
  for (const int slot : {0, graph}) ask_grid_of_another_kind(stage, slot);
  for (const int slot : {0, grid}) ask_graph_of_another_kind(stage, slot);
}

}  // namespace vtopo::conformance
