// Every example of the chapter "Process Topologies" of MPI (numbers of the 2.2 draft) and of the
// newer sections that replace parts of it. Example 7.1 is with the tests of dims_create.
#include <catch2/catch.hpp>

#include "tests/topology/mpi/periodicities.hpp"
#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;

namespace {

/// Values after every rank r has sent its value to `dest[r]` and received one from `source[r]`
/// (MPI_Sendrecv_replace); each send must meet a receive.
std::vector<int> sendrecv_replace(const std::vector<int>& values, const std::vector<Rank>& dest,
                                  const std::vector<Rank>& source) {
  std::vector<int> result;
  for (std::size_t r = 0; r < values.size(); ++r) {
    REQUIRE(dest[index(source[r])] == id_at<Rank>(r));
    result.push_back(values[index(source[r])]);
  }
  return result;
}

/// Neighbours of each rank of Examples 7.2 and 7.3.
const std::vector<std::vector<Rank>> adjacency{ranks({1, 3}), ranks({0}), ranks({3}),
                                               ranks({0, 2})};

/// Graph of the shuffle-exchange network of 2^bits ranks, computed from the definition: exchange
/// flips the last bit, shuffle rotates to the left, unshuffle to the right.
Graph shuffle_exchange(unsigned bits) {
  std::vector<std::vector<Rank>> neighbours;
  for (unsigned a = 0; a < 1u << bits; ++a) {
    const unsigned first = a >> (bits - 1);
    const unsigned last = a & 1u;
    const unsigned shuffle = ((a << 1u) & ((1u << bits) - 1)) | first;
    const unsigned unshuffle = (a >> 1u) | (last << (bits - 1));
    neighbours.push_back(
        ranks({static_cast<int>(a ^ 1u), static_cast<int>(shuffle), static_cast<int>(unshuffle)}));
  }
  return Graph(neighbours);
}

/// What the three ways of Example 7.3 must all give.
void check_example_7_3(const Communicator& comm, Weighting weighting) {
  REQUIRE(topo_test(comm) == TopologyKind::dist_graph);
  // The adjacency matrix is symmetric: sources are the neighbours as well.
  for (int r = 0; r < 4; ++r) {
    const auto& expected = adjacency[index(Rank{r})];
    const auto degrees = dist_graph_neighbors_count(comm, Rank{r});
    CHECK(degrees.indegree == static_cast<int>(expected.size()));
    CHECK(degrees.outdegree == static_cast<int>(expected.size()));
    CHECK(degrees.weighting == weighting);
    const auto edges = dist_graph_neighbors(comm, Rank{r});
    CHECK(edges.sources == expected);
    CHECK(edges.destinations == expected);
    const std::vector<double> ones(expected.size(), 1);
    CHECK(edges.source_weights == (weighting == Weighting::weighted ? Weights(ones) : Weights()));
    CHECK(edges.destination_weights == edges.source_weights);
  }
}

}  // namespace

TEST_CASE("Section 7.2: group ranks and coordinates of four processes in a 2x2 grid") {
  const Communicator comm = cart_create(world(4), Cartesian({{2}, {2}}));
  CHECK(cart_coords(comm, Rank{0}) == std::vector{0, 0});
  CHECK(cart_coords(comm, Rank{1}) == std::vector{0, 1});
  CHECK(cart_coords(comm, Rank{2}) == std::vector{1, 0});
  CHECK(cart_coords(comm, Rank{3}) == std::vector{1, 1});
}

TEST_CASE("Example 7.2: the adjacency matrix of four processes as index and edges") {
  const std::vector<int> index{2, 3, 4, 6};
  const auto edges = ranks({1, 3, 0, 3, 0, 2});
  const auto comm = graph_create(world(4), Graph(index, edges));
  REQUIRE(comm);
  CHECK(topo_test(*comm) == TopologyKind::graph);
  CHECK(graphdims_get(*comm).num_ranks == 4);
  CHECK(graphdims_get(*comm).num_edges == 6);
  for (int r = 0; r < 4; ++r)
    CHECK(graph_neighbors(*comm, Rank{r}) == adjacency[vtopo::index(Rank{r})]);
  // The same from the lists, and what MPI_Graph_get returns.
  const auto lists = graph_create(world(4), Graph(adjacency));
  CHECK(graph_get(*lists).index == index);
  CHECK(graph_get(*lists).edges == edges);
}

TEST_CASE("Example 7.3: each process specifies its outgoing edges") {
  for (const bool weighted : {true, false}) {
    std::vector<EdgeContribution> given;
    for (int r = 0; r < 4; ++r) {
      const auto& to = adjacency[index(Rank{r})];
      const Weights weights = Weights(std::vector<double>(to.size(), 1));
      given.push_back({ranks({r}), {int(to.size())}, to, weighted ? weights : Weights(), {}});
    }
    check_example_7_3(dist_graph_create(world(4), given), Weighting{weighted});
  }
}

TEST_CASE("Example 7.3: process 0 passes the whole graph") {
  for (const bool weighted : {true, false}) {
    const Weights six = Weights(std::vector<double>(6, 1));
    const Weights empty = Weights(std::vector<double>());
    std::vector<EdgeContribution> given(4);
    given[0] = {ranks({0, 1, 2, 3}), {2, 1, 1, 2}, ranks({1, 3, 0, 3, 0, 2}), six, {}};
    for (std::size_t r = 1; r < 4; ++r) given[r].weights = empty;
    if (!weighted)
      for (auto& one : given) one.weights.reset();
    check_example_7_3(dist_graph_create(world(4), given), Weighting{weighted});
  }
}

TEST_CASE("Example 7.3: each process specifies its incoming and outgoing edges") {
  for (const bool weighted : {true, false}) {
    std::vector<AdjacentEdges> given;
    for (const auto& list : adjacency) {
      const Weights weights = weighted ? Weights(std::vector<double>(list.size(), 1)) : Weights();
      given.push_back({list, weights, list, weights, {}});
    }
    check_example_7_3(dist_graph_create_adjacent(world(4), given), Weighting{weighted});
  }
}

namespace {

/// Arguments of rank `rank` in Example 7.4 with the indices of the weights set right.
EdgeContribution torus_with_diagonals(int rank, int P, int Q) {
  const int y = rank / P;
  const int x = rank % P;
  const int up = (y + 1) % Q;
  const int down = (Q + y - 1) % Q;
  const int right = (x + 1) % P;
  const int left = (P + x - 1) % P;
  return {ranks({rank}),
          {8},
          ranks({P * y + right, P * y + left, P * up + x, P * down + x, P * up + right,
                 P * down + right, P * up + left, P * down + left}),
          std::vector<double>{2, 2, 2, 2, 1, 1, 1, 1},
          {}};
}

}  // namespace

TEST_CASE("Example 7.4: a torus with diagonals, twice as heavy along the dimensions") {
  const int P = 4;
  const int Q = 3;
  std::vector<EdgeContribution> given;
  for (int rank = 0; rank < P * Q; ++rank) given.push_back(torus_with_diagonals(rank, P, Q));
  // Ranks from P*Q on do not participate: here one that gives nothing.
  given.push_back({{}, {}, {}, std::vector<double>{}, {}});
  const Communicator comm = dist_graph_create(world(P * Q + 1), given);
  // Rank 5 has x = 1, y = 1: 6 and 4 beside it, 9 and 1 above and below, then the diagonals.
  const auto edges = dist_graph_neighbors(comm, Rank{5});
  CHECK(edges.destinations == ranks({6, 4, 9, 1, 10, 2, 8, 0}));
  CHECK(edges.destination_weights == std::vector<double>{2, 2, 2, 2, 1, 1, 1, 1});
  for (int r = 0; r < P * Q; ++r) {
    const auto in = dist_graph_neighbors(comm, Rank{r});
    REQUIRE(in.sources.size() == 8);
    double sum = 0;
    for (const double weight : *in.source_weights) sum += weight;
    CHECK(sum == 12);  // 4 * 2 along the axes, 4 * 1 on the diagonals
  }
  CHECK(dist_graph_neighbors_count(comm, Rank{P * Q}).indegree == 0);
  CHECK(dist_graph_neighbors_count(comm, Rank{P * Q}).outdegree == 0);
}

TEST_CASE("Example 7.5 and MPI-5.0 inquiry of graph topology: neighbours listed multiple times") {
  const std::vector<int> index{3, 5, 6, 9};
  const auto comm =
      graph_create(world(4), Graph(index, ranks({1, 1, 3, 0, 0, 3, 0, 2, 2}))).value();
  const std::vector<std::vector<Rank>> table{ranks({1, 1, 3}), ranks({0, 0}), ranks({3}),
                                             ranks({0, 2, 2})};
  const std::vector<int> counts{3, 2, 1, 3};
  for (int r = 0; r < 4; ++r) {
    CHECK(graph_neighbors_count(comm, Rank{r}) == counts[vtopo::index(Rank{r})]);
    CHECK(graph_neighbors(comm, Rank{r}) == table[vtopo::index(Rank{r})]);
  }
}

TEST_CASE("Example 7.6: the shuffle-exchange table for n = 3") {
  const auto comm = graph_create(world(8), shuffle_exchange(3)).value();
  const std::vector<std::vector<Rank>> table{ranks({1, 0, 0}), ranks({0, 2, 4}), ranks({3, 4, 1}),
                                             ranks({2, 6, 5}), ranks({5, 1, 2}), ranks({4, 3, 6}),
                                             ranks({7, 5, 3}), ranks({6, 7, 7})};
  for (int r = 0; r < 8; ++r) CHECK(graph_neighbors(comm, Rank{r}, 3) == table[index(Rank{r})]);
}

TEST_CASE("Example 7.6: the code permutes a value per process by exchange, shuffle, unshuffle") {
  const auto comm = graph_create(world(8), shuffle_exchange(3)).value();
  std::vector<std::vector<Rank>> neighbors(3);
  std::vector<int> values;
  for (int r = 0; r < 8; ++r) {
    values.push_back(r);
    const auto three = graph_neighbors(comm, Rank{r}, 3);
    for (std::size_t i = 0; i < 3; ++i) neighbors[i].push_back(three[i]);
  }
  values = sendrecv_replace(values, neighbors[0], neighbors[0]);
  CHECK(values == std::vector{1, 0, 3, 2, 5, 4, 7, 6});
  // Shuffle: what rank 1 (001) holds goes to rank 2 (010), what 2 holds to 4, 4's to 1, and so on.
  values = sendrecv_replace(values, neighbors[1], neighbors[2]);
  CHECK(values == std::vector{1, 5, 0, 4, 3, 7, 2, 6});
  values = sendrecv_replace(values, neighbors[2], neighbors[1]);
  CHECK(values == std::vector{1, 0, 3, 2, 5, 4, 7, 6});  // unshuffle undoes shuffle
}

TEST_CASE("Example 7.7: column i of a periodic array is skewed by i steps") {
  const Communicator comm = cart_create(world(12), Cartesian({{3, periodic}, {4, periodic}}));
  std::vector<int> values;
  std::vector<Rank> source;
  std::vector<Rank> dest;
  for (int r = 0; r < 12; ++r) {
    const auto coords = cart_coords(comm, Rank{r}, 2);
    values.push_back(10 * coords[0] + coords[1]);
    const auto shifted = cart_shift(comm, Rank{r}, 0, coords[1]);
    source.push_back(shifted.source.value());
    dest.push_back(shifted.destination.value());
  }
  // By hand: column 0 stays, column 1 moves down by one row, column 2 by two, column 3 by three.
  CHECK(sendrecv_replace(values, dest, source) ==
        std::vector{0, 21, 12, 3, 10, 1, 22, 13, 20, 11, 2, 23});
}

TEST_CASE("Example 7.8: subgrids of a 2x3x4 grid") {
  const Communicator comm = cart_create(world(24), Cartesian({{2}, {3}, {4}}));
  const Partition planes = cart_sub(comm, {true, false, true});
  REQUIRE(planes.parts().size() == 3);
  for (const Communicator& part : planes.parts()) {
    CHECK(part.size() == 8);
    CHECK(cart_get(part, Rank{0}).dimensions == std::vector<Dimension>{{2}, {4}});
  }
  // Process (1, 2, 3) is rank 23; in plane 2 it is at (1, 3), rank 7.
  CHECK(planes.of(Rank{23})->rank_of(ProcessId{23}) == Rank{7});
  CHECK(compare(*planes.of(Rank{23}), planes.parts()[2]) == Comparison::identical);
  const Partition lines = cart_sub(comm, {false, false, true});
  REQUIRE(lines.parts().size() == 6);
  std::vector<bool> seen(24);
  for (const Communicator& part : lines.parts()) {
    CHECK(part.size() == 4);
    CHECK(cartdim_get(part) == 1);
    for (int r = 0; r < 4; ++r) {
      const auto process = index(part.process(Rank{r}));
      CHECK_FALSE(seen[process]);  // non-overlapping
      seen[process] = true;
    }
  }
}

TEST_CASE("Example 7.9: neighbours of the Poisson solver on a periodic grid") {
  // MPI_DIMS_CREATE(6, 2) gives 3 x 2 (Example 7.1).
  const Communicator comm = cart_create(world(6), Cartesian({{3, periodic}, {2, periodic}}));
  for (int r = 0; r < 6; ++r) {
    const auto position = cart_get(comm, Rank{r}, 2).coords;
    const int i = position[0];
    const int j = position[1];
    const auto rank_at = [&](int down, int right) {
      const int coords[] = {down, right};
      return cart_rank(comm, coords);
    };
    const std::vector<std::optional<Rank>> neigh_rank{rank_at(i - 1, j), rank_at(i + 1, j),
                                                      rank_at(i, j - 1), rank_at(i, j + 1)};
    CHECK(neigh_rank == neighbourhood(*comm.topology(), Rank{r}).destinations);
    if (r == 0) CHECK(with_nulls(neigh_rank) == std::vector{4, 2, 1, 1});  // by hand
  }
}
