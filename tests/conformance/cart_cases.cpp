#include <fmt/format.h>

#include "tests/conformance/cases.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

/// Grid of 0 to 4 dimensions and at most `max_ranks` ranks.
Cartesian random_grid(Stage& stage, int max_ranks) {
  const int ndims = stage.draw(0, 4);
  std::vector<Dimension> dimensions;
  for (int d = 0; d < ndims; ++d) {
    const int size = stage.draw(1, std::min(max_ranks, 4));
    max_ranks /= size;
    dimensions.push_back({size, stage.once_in(2) ? Periodicity::periodic : Periodicity::open});
  }
  return Cartesian(std::move(dimensions));
}

Words words_of(const Cartesian& grid) {
  Words words{static_cast<int>(grid.dimensions().size())};
  for (const Dimension& dimension : grid.dimensions()) words.push_back(dimension.size);
  for (const Dimension& dimension : grid.dimensions()) words.push_back(dimension.periodic());
  return words;
}

std::string text_of(const CartDescription& description) {
  std::string sizes;
  std::string periods;
  for (const Dimension& dimension : description.dimensions) {
    sizes += fmt::format(" {}", dimension.size);
    periods += dimension.periodic() ? " 1" : " 0";
  }
  return fmt::format("dims{} periods{} coords {}", sizes, periods, listed(description.coords));
}

void ask_map(Stage& stage, int parent, const Cartesian& grid) {
  stage.ask("cart_map", parent, words_of(grid), [&](const Caller& caller) -> std::string {
    const auto rank = cart_map(caller.communicator, grid)[index(caller.rank)];
    return rank ? std::to_string(number(*rank)) : "undefined";
  });
}

/// Coordinates that lie in the grid or, in periodic dimensions, anywhere.
std::vector<int> random_coords(Stage& stage, const Cartesian& grid) {
  std::vector<int> coords;
  for (const Dimension& dimension : grid.dimensions())
    coords.push_back(dimension.periodic() ? stage.draw(-9, 9) : stage.draw(0, dimension.size - 1));
  return coords;
}

void ask_rank_and_coords(Stage& stage, int slot, const Cartesian& grid) {
  const auto coords = random_coords(stage, grid);
  stage.ask("cart_rank", slot, coords, [&](const Caller& caller) {
    return std::to_string(number(cart_rank(caller.communicator, coords)));
  });
  const int rank = stage.draw(0, grid.num_ranks() - 1);
  const int maxdims = static_cast<int>(grid.dimensions().size());
  stage.ask("cart_coords", slot, {rank, maxdims}, [&](const Caller& caller) {
    return listed(cart_coords(caller.communicator, Rank{rank}, maxdims));
  });
}

void ask_shift(Stage& stage, int slot, const Cartesian& grid) {
  if (grid.dimensions().empty()) return;
  const int direction = stage.draw(0, static_cast<int>(grid.dimensions().size()) - 1);
  const int disp = stage.draw(-9, 9);
  stage.ask("cart_shift", slot, {direction, disp}, [&](const Caller& caller) {
    const auto ranks = cart_shift(caller.communicator, caller.rank, direction, disp);
    return listed(std::vector{ranks.source, ranks.destination});
  });
}

void ask_all(Stage& stage, int slot) {
  const auto communicator = stage.any_of(slot);
  if (!communicator) return;
  const auto& grid = std::get<Cartesian>(*communicator->topology());
  const int ndims = static_cast<int>(grid.dimensions().size());
  ask_topo_test(stage, slot);
  stage.ask("cartdim_get", slot, {},
            [](const Caller& caller) { return std::to_string(cartdim_get(caller.communicator)); });
  stage.ask("cart_get", slot, {ndims}, [&](const Caller& caller) {
    return text_of(cart_get(caller.communicator, caller.rank, ndims));
  });
  for (int i = 0; i < 2; ++i) ask_rank_and_coords(stage, slot, grid);
  for (int i = 0; i < 3; ++i) ask_shift(stage, slot, grid);
  ask_neighbor_allgather(stage, slot, NeighbourOrder::as_given);
  ask_neighbor_alltoall(stage, slot);
}

int random_sub(Stage& stage, int slot, const Cartesian& grid) {
  std::vector<bool> remain_dims;
  Words words;
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
    remain_dims.push_back(stage.once_in(2));
    words.push_back(remain_dims.back());
  }
  return stage.construct("cart_sub", slot, words, [&](const Communicator& old) {
    const Partition partition = cart_sub(old, remain_dims);
    std::vector<std::optional<Communicator>> by_rank;
    for (int r = 0; r < old.size(); ++r) by_rank.push_back(partition.of(Rank{r}));
    return by_rank;
  });
}

}  // namespace

void cart_case(Stage& stage) {
  const int parent = random_parent(stage);
  const Cartesian grid = random_grid(stage, stage.any_of(parent)->size());
  ask_map(stage, parent, grid);
  const int slot = stage.construct("cart_create", parent, words_of(grid), [&](const auto& old) {
    const Communicator made = cart_create(old, grid);
    std::vector<std::optional<Communicator>> by_rank(static_cast<std::size_t>(grid.num_ranks()),
                                                     made);
    by_rank.resize(static_cast<std::size_t>(old.size()));
    return by_rank;
  });
  ask_all(stage, slot);
  ask_comm_compare(stage, slot, parent);
  ask_all(stage, random_sub(stage, slot, grid));
  const int copy = duplicated(stage, slot);
  ask_all(stage, copy);
  ask_comm_compare(stage, copy, slot);
}

}  // namespace vtopo::conformance
