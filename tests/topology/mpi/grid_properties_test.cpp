#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/topology/mpi/any_grid.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/mpi_error.hpp"

using namespace vtopo;

namespace {

/// Neighbours of a rank of a grid without the missing ones.
std::vector<Rank> present_neighbours(const Cartesian& grid, Rank rank) {
  std::vector<Rank> result;
  for (const auto& neighbour : neighbourhood(grid, rank).destinations)
    if (neighbour) result.push_back(*neighbour);
  return result;
}

std::vector<Rank> destinations_of(const CommGraph& graph, Rank rank) {
  std::vector<Rank> result;
  for (const CommEdge& edge : graph.out_edges(rank)) result.push_back(edge.destination);
  return result;
}

/// Coordinates by counting up from rank 0, last dimension fastest: the slow way.
std::vector<int> counted_coords(const Cartesian& grid, Rank rank) {
  std::vector<int> coords(grid.dimensions().size(), 0);
  for (int r = 0; r < number(rank); ++r)
    for (std::size_t d = coords.size(); d-- > 0;) {
      if (++coords[d] < grid.dimensions()[d].size) break;
      coords[d] = 0;
    }
  return coords;
}

}  // namespace

TEST_CASE("Coordinates and rank are inverse") {
  rc::prop("in grids of up to 2^31-1 ranks", [] {
    const Cartesian grid = any_large_grid(false);
    const Rank rank = any_rank(grid.num_ranks());
    const auto coords = grid.coords(rank);
    for (std::size_t d = 0; d < coords.size(); ++d)
      RC_ASSERT(coords[d] >= 0 && coords[d] < grid.dimensions()[d].size);
    RC_ASSERT(grid.rank(coords) == rank);
  });
  rc::prop("and row-major", [] {
    const Cartesian grid = any_grid();
    const Rank rank = any_rank(grid.num_ranks());
    RC_ASSERT(grid.coords(rank) == counted_coords(grid, rank));
  });
}

TEST_CASE("A shift by a and then by b is a shift by a + b on periodic grids") {
  rc::prop("of up to 2^31-1 ranks", [] {
    const Cartesian grid = any_large_grid(true);
    const Rank rank = any_rank(grid.num_ranks());
    const int dimension = any_dimension(grid);
    const int a = any_displacement() / 2;
    const int b = any_displacement() / 2;
    const Rank between = grid.shift(rank, dimension, a).destination.value();
    RC_ASSERT(grid.shift(between, dimension, b).destination ==
              grid.shift(rank, dimension, a + b).destination);
  });
}

TEST_CASE("Source and destination of a shift are dual") {
  rc::prop("on grids of any periodicity", [] {
    const Cartesian grid = any_large_grid(false);
    const Rank rank = any_rank(grid.num_ranks());
    const int dimension = any_dimension(grid);
    const int displacement = any_displacement();
    const auto [source, destination] = grid.shift(rank, dimension, displacement);
    if (source) RC_ASSERT(grid.shift(*source, dimension, displacement).destination == rank);
    if (destination) RC_ASSERT(grid.shift(*destination, dimension, displacement).source == rank);
    if (displacement == std::numeric_limits<int>::min()) return;  // has no negative
    RC_ASSERT(grid.shift(rank, dimension, -displacement) == (ShiftRanks{destination, source}));
  });
}

TEST_CASE("A shift moves one coordinate and leaves the others") {
  rc::prop("or leaves an open grid", [] {
    const Cartesian grid = any_large_grid(false);
    const Rank rank = any_rank(grid.num_ranks());
    const int dimension = any_dimension(grid);
    const int displacement = any_in(-3000, 3000);
    auto coords = grid.coords(rank);
    const auto d = static_cast<std::size_t>(dimension);
    const std::int64_t there = std::int64_t{coords[d]} + displacement;
    const bool inside = there >= 0 && there < grid.dimensions()[d].size;
    const auto destination = grid.shift(rank, dimension, displacement).destination;
    if (!inside && !grid.dimensions()[d].periodic()) {
      RC_ASSERT(!destination);
    } else if (there <= std::numeric_limits<int>::max()) {
      coords[d] = static_cast<int>(there);
      RC_ASSERT(destination == grid.rank(coords));
    }
  });
}

TEST_CASE("cart_sub partitions the grid and keeps the remaining coordinates") {
  rc::prop("for any choice of dimensions", [] {
    const Cartesian grid = any_grid();
    const auto remain = *rc::gen::container<std::vector<bool>>(grid.dimensions().size(),
                                                               rc::gen::arbitrary<bool>());
    const Communicator comm = cart_create(world(grid.num_ranks()), grid);
    const Partition partition = cart_sub(comm, remain);
    int members = 0;
    for (const Communicator& part : partition.parts()) members += part.size();
    RC_ASSERT(members == grid.num_ranks());
    for (int r = 0; r < grid.num_ranks(); ++r) {
      const Communicator part = *partition.of(Rank{r});
      const auto rank = part.rank_of(ProcessId{r});
      RC_ASSERT(rank.has_value());
      std::vector<int> kept;
      const auto coords = grid.coords(Rank{r});
      for (std::size_t d = 0; d < coords.size(); ++d)
        if (remain[d]) kept.push_back(coords[d]);
      RC_ASSERT(cart_coords(part, *rank) == kept);
      // All members share the dropped coordinates.
      const auto first = grid.coords(Rank{number(part.process(Rank{0}))});
      for (std::size_t d = 0; d < coords.size(); ++d) RC_ASSERT(remain[d] || first[d] == coords[d]);
    }
  });
}

TEST_CASE("A grid, the same as a graph and as a distributed graph have the same neighbours") {
  rc::prop("in the same order, and in their communication graphs", [] {
    const Cartesian grid = any_grid();
    std::vector<std::vector<Rank>> lists;
    std::vector<AdjacentEdges> adjacent;
    for (int r = 0; r < grid.num_ranks(); ++r) {
      lists.push_back(present_neighbours(grid, Rank{r}));
      adjacent.push_back({lists.back(), {}, lists.back(), {}, {}});
    }
    const auto graph = graph_create(world(grid.num_ranks()), Graph(lists));
    const auto dist = dist_graph_create_adjacent(world(grid.num_ranks()), adjacent);
    const Bytes volume[] = {Bytes{1}};
    const CommGraph of_grid = make_comm_graph(grid, volume);
    const CommGraph of_graph = make_comm_graph(*graph->topology(), volume);
    const CommGraph of_dist = make_comm_graph(*dist.topology(), volume);
    for (int r = 0; r < grid.num_ranks(); ++r) {
      const auto& expected = lists[index(Rank{r})];
      RC_ASSERT(graph_neighbors(*graph, Rank{r}) == expected);
      RC_ASSERT(dist_graph_neighbors(dist, Rank{r}).sources == expected);
      RC_ASSERT(dist_graph_neighbors(dist, Rank{r}).destinations == expected);
      RC_ASSERT(destinations_of(of_grid, Rank{r}) == expected);
      RC_ASSERT(destinations_of(of_graph, Rank{r}) == expected);
      RC_ASSERT(destinations_of(of_dist, Rank{r}) == expected);
    }
  });
}

TEST_CASE("Neighbours of a grid are the ranks of shifts by one") {
  rc::prop("per dimension source and destination", [] {
    const Cartesian grid = any_grid();
    const Rank rank = any_rank(grid.num_ranks());
    const auto around = neighbourhood(grid, rank).destinations;
    RC_ASSERT(around.size() == 2 * grid.dimensions().size());
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
      const auto [source, destination] = grid.shift(rank, static_cast<int>(d), 1);
      RC_ASSERT(around[2 * d] == source);
      RC_ASSERT(around[2 * d + 1] == destination);
    }
  });
}
