// Properties of virtual topologies on random ones. ctest fixes the seed; the program by itself
// takes a new one each time, and RC_PARAMS="seed=..." repeats a run.
#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "topology/constructors.hpp"
#include "topology/inquiry.hpp"
#include "topology/mpi_error.hpp"

using namespace vtopo;

namespace {

/// Integer in [low, high), over the whole range from the first case on.
template <class Integer>
Integer any_in(Integer low, Integer high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

/// Grid of up to 5 dimensions of any periodicity with up to 5^5 ranks.
Cartesian any_grid() {
  std::vector<Dimension> dimensions(any_in<std::size_t>(0, 6));
  for (Dimension& dimension : dimensions)
    dimension = {any_in(1, 6), Periodicity{*rc::gen::arbitrary<bool>()}};
  return Cartesian(dimensions);
}

/// Grid of 1 to 4 dimensions, all periodic or all of any periodicity, with up to 2^31-1 ranks.
Cartesian any_large_grid(bool all_periodic) {
  std::vector<Dimension> dimensions;
  std::int64_t left = std::numeric_limits<int>::max();
  const int count = any_in(1, 5);
  for (int d = 0; d < count; ++d) {
    const auto most = std::min<std::int64_t>(left, d == 0 ? left : 2000);
    const auto size = any_in<std::int64_t>(1, most + 1);
    const bool periodic = all_periodic || *rc::gen::arbitrary<bool>();
    dimensions.push_back({static_cast<int>(size), Periodicity{periodic}});
    left /= size;
  }
  return Cartesian(dimensions);
}

Rank any_rank(int num_ranks) {
  return Rank{any_in(0, num_ranks)};
}

int any_dimension(const Cartesian& grid) {
  return any_in(0, static_cast<int>(grid.dimensions().size()));
}

/// Displacement of any size, far beyond every dimension.
int any_displacement() {
  return *rc::gen::oneOf(rc::gen::inRange(-10, 11),
                         rc::gen::resize(1000, rc::gen::arbitrary<int>()));
}

/// Edges between `num_ranks` ranks, with repeats and self loops.
std::vector<WeightedEdge> any_edges(int num_ranks) {
  const auto rank = rc::gen::inRange(0, num_ranks);
  const auto drawn = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rank, rank, rc::gen::inRange(0, 9)));
  std::vector<WeightedEdge> edges;
  for (const auto& [source, destination, weight] : drawn)
    edges.push_back({Rank{source}, Rank{destination}, static_cast<double>(weight)});
  return edges;
}

/// Each edge given by any rank, as arguments of dist_graph_create.
std::vector<EdgeContribution> given_by_anyone(int num_ranks,
                                              const std::vector<WeightedEdge>& edges) {
  std::vector<EdgeContribution> given(static_cast<std::size_t>(num_ranks));
  for (auto& one : given) one.weights = std::vector<double>();
  for (const auto& [source, destination, weight] : edges) {
    EdgeContribution& giver = given[index(any_rank(num_ranks))];
    giver.sources.push_back(source);
    giver.degrees.push_back(1);
    giver.destinations.push_back(destination);
    giver.weights->push_back(weight);
  }
  return given;
}

/// Each edge given by both of its ends, as arguments of dist_graph_create_adjacent.
std::vector<AdjacentEdges> given_by_ends(int num_ranks, const std::vector<WeightedEdge>& edges) {
  const std::vector<double> none;
  std::vector<AdjacentEdges> given(static_cast<std::size_t>(num_ranks), {{}, none, {}, none, {}});
  for (const auto& [source, destination, weight] : edges) {
    given[index(source)].destinations.push_back(destination);
    given[index(source)].destination_weights->push_back(weight);
    given[index(destination)].sources.push_back(source);
    given[index(destination)].source_weights->push_back(weight);
  }
  return given;
}

using EdgeList = std::vector<std::tuple<Rank, Rank, double>>;

/// Edges out of all ranks, or into all ranks, sorted.
EdgeList edges_of(const Communicator& comm, bool out) {
  EdgeList edges;
  for (int r = 0; r < comm.size(); ++r) {
    const auto [sources, source_weights, destinations, destination_weights] =
        dist_graph_neighbors(comm, Rank{r});
    const auto& ends = out ? destinations : sources;
    const auto& weights = out ? *destination_weights : *source_weights;
    for (std::size_t i = 0; i < ends.size(); ++i)
      edges.emplace_back(out ? Rank{r} : ends[i], out ? ends[i] : Rank{r}, weights[i]);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

EdgeList sorted(const std::vector<WeightedEdge>& edges) {
  EdgeList list;
  for (const auto& [source, destination, weight] : edges)
    list.emplace_back(source, destination, weight);
  std::sort(list.begin(), list.end());
  return list;
}

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

TEST_CASE("Edges of a distributed graph are the union of what was given") {
  rc::prop("by anyone for anyone", [] {
    const int num_ranks = any_in(1, 12);
    const auto edges = any_edges(num_ranks);
    const auto comm = dist_graph_create(world(num_ranks), given_by_anyone(num_ranks, edges));
    RC_ASSERT(edges_of(comm, true) == sorted(edges));
    RC_ASSERT(edges_of(comm, false) == sorted(edges));
    std::map<Rank, int> in;
    std::map<Rank, int> out;
    for (const auto& [source, destination, weight] : edges) {
      ++out[source];
      ++in[destination];
    }
    for (int r = 0; r < num_ranks; ++r) {
      const auto degrees = dist_graph_neighbors_count(comm, Rank{r});
      RC_ASSERT(degrees.indegree == in[Rank{r}]);
      RC_ASSERT(degrees.outdegree == out[Rank{r}]);
    }
  });
  rc::prop("by both ends, in the order of the call", [] {
    const int num_ranks = any_in(1, 12);
    const auto edges = any_edges(num_ranks);
    const auto given = given_by_ends(num_ranks, edges);
    const auto comm = dist_graph_create_adjacent(world(num_ranks), given);
    RC_ASSERT(edges_of(comm, true) == sorted(edges));
    for (int r = 0; r < num_ranks; ++r) {
      const auto& own = given[index(Rank{r})];
      const auto answer = dist_graph_neighbors(comm, Rank{r});
      RC_ASSERT(answer.sources == own.sources);
      RC_ASSERT(answer.source_weights == own.source_weights);
      RC_ASSERT(answer.destinations == own.destinations);
      RC_ASSERT(answer.destination_weights == own.destination_weights);
    }
  });
}

TEST_CASE("An edge that one end withholds is always found") {
  rc::prop("whichever edge and end", [] {
    const int num_ranks = any_in(1, 8);
    const auto edges = any_edges(num_ranks);
    RC_PRE(!edges.empty());
    auto given = given_by_ends(num_ranks, edges);
    const auto withheld = edges[any_in<std::size_t>(0, edges.size())];
    auto& list = given[index(withheld.source)];
    list.destinations.pop_back();
    list.destination_weights->pop_back();
    RC_ASSERT_THROWS_AS(dist_graph_create_adjacent(world(num_ranks), given), MpiError);
  });
}

TEST_CASE("Maxima cut answers to a prefix") {
  rc::prop("of sources and destinations", [] {
    const int num_ranks = any_in(1, 5);
    const auto comm =
        dist_graph_create(world(num_ranks), given_by_anyone(num_ranks, any_edges(num_ranks)));
    const Rank rank = any_rank(num_ranks);
    const auto whole = dist_graph_neighbors(comm, rank);
    const int maximum = any_in(0, 20);
    const auto part = dist_graph_neighbors(comm, rank, maximum, maximum);
    const auto is_prefix = [&](const auto& cut, const auto& all) {
      return cut.size() == std::min(all.size(), static_cast<std::size_t>(maximum)) &&
             std::equal(cut.begin(), cut.end(), all.begin());
    };
    RC_ASSERT(is_prefix(part.sources, whole.sources));
    RC_ASSERT(is_prefix(*part.source_weights, *whole.source_weights));
    RC_ASSERT(is_prefix(part.destinations, whole.destinations));
    RC_ASSERT(is_prefix(*part.destination_weights, *whole.destination_weights));
  });
}

TEST_CASE("A split puts each process with its colour, by key and old rank") {
  rc::prop("for any colours and keys", [] {
    const auto drawn = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(-1, 4), rc::gen::inRange(-3, 4))));
    std::vector<SplitChoice> choices;
    for (const auto& [colour, key] : drawn)
      choices.push_back({colour < 0 ? std::nullopt : std::optional(colour), key});
    const auto comm = world(static_cast<int>(drawn.size()));
    const Partition partition = split(comm, choices);
    for (std::size_t r = 0; r < drawn.size(); ++r) {
      const auto part = partition.of(id_at<Rank>(r));
      RC_ASSERT(part.has_value() == choices[r].colour.has_value());
      if (!part) continue;
      // The rank is the number of processes of the colour that come before: the slow way.
      int before = 0;
      for (std::size_t s = 0; s < drawn.size(); ++s)
        if (drawn[s].first == drawn[r].first &&
            std::pair(drawn[s].second, s) < std::pair(drawn[r].second, r))
          ++before;
      RC_ASSERT(part->rank_of(id_at<ProcessId>(r)) == Rank{before});
    }
  });
}

TEST_CASE("Groups of the same processes are similar in whatever order, congruent in the same") {
  rc::prop("for any processes", [] {
    const auto ids =
        *rc::gen::nonEmpty(rc::gen::unique<std::vector<int>>(rc::gen::arbitrary<int>()));
    std::vector<ProcessId> members;
    for (const int id : ids) members.push_back(ProcessId{id});
    const Communicator comm{ProcessGroup(members)};
    for (std::size_t r = 0; r < members.size(); ++r)
      RC_ASSERT(comm.rank_of(members[r]) == id_at<Rank>(r));
    RC_ASSERT(compare(comm, comm.dup()) == Comparison::congruent);
    auto other = members;
    std::reverse(other.begin(), other.end());
    const Communicator reversed{ProcessGroup(other)};
    RC_ASSERT(compare(comm, reversed) ==
              (members.size() == 1 ? Comparison::congruent : Comparison::similar));
  });
}

TEST_CASE("A reordered communicator has the same virtual topology over other processes") {
  rc::prop("for any permutation", [] {
    const Cartesian grid = any_grid();
    std::vector<int> order(static_cast<std::size_t>(grid.num_ranks()));
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = static_cast<int>(r);
    const auto rotation = any_in<std::size_t>(0, order.size());
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rotation), order.end());
    const Reorderer reorder = [&](const ReorderRequest&) {
      std::vector<Rank> old_ranks;
      for (const int old : order) old_ranks.push_back(Rank{old});
      return old_ranks;
    };
    const Communicator old = world(grid.num_ranks());
    const Communicator comm = cart_create(old, grid, reorder);
    const auto map = cart_map(old, grid, reorder);
    for (int r = 0; r < grid.num_ranks(); ++r) {
      RC_ASSERT(comm.process(Rank{r}) == ProcessId{order[index(Rank{r})]});
      RC_ASSERT(cart_coords(comm, Rank{r}) == grid.coords(Rank{r}));
      RC_ASSERT(map[index(Rank{r})] == comm.rank_of(ProcessId{r}));
    }
  });
}
