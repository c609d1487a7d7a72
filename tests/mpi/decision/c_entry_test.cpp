#include <catch2/catch.hpp>
#include <limits>

#include "sim/mpi/decision/c_binding.hpp"
#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr int proc_null = -7;
constexpr int untouched = 4711;

Communicator grid_2x3() {
  const int dims[] = {2, 3};
  const int periods[] = {0, 5};  // any int but 0 is true
  return cart_create(world(6), c::grid_of(2, dims, periods));
}

Communicator example_7_2() {
  const int index[] = {2, 3, 4, 6};
  const int edges[] = {1, 3, 0, 3, 0, 2};
  return graph_create(world(4), c::graph_of(4, index, edges)).value();
}

/// 0 -> 1 with weight 7, and 1 -> 1 with weight 0.
Communicator small_dist_graph(bool weighted) {
  const int source[] = {0, 1};
  const int degrees[] = {1, 1};
  const int destinations[] = {1, 1};
  const int weights[] = {7, 0};
  const c::WeightArray given = weighted ? c::WeightArray(weights) : std::nullopt;
  const c::WeightArray none = weighted ? c::WeightArray(nullptr) : std::nullopt;
  const std::vector<EdgeContribution> by_rank{
      c::edge_contribution_of(0, nullptr, nullptr, nullptr, none),
      c::edge_contribution_of(2, source, degrees, destinations, given)};
  return dist_graph_create(world(2), by_rank);
}

}  // namespace

TEST_CASE("C: a null communicator is MPI_ERR_COMM in every call") {
  int value[8] = {};
  const Rank caller{0};
  CHECK(class_of([] { c::checked(nullptr, "comm_size"); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::graphdims_get(nullptr, value, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::graph_get(nullptr, 1, 1, value, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::cartdim_get(nullptr, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::cart_get(nullptr, caller, 1, value, value, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::cart_rank(nullptr, value, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::cart_coords(nullptr, 0, 1, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::cart_shift(nullptr, caller, 0, 1, value, value, proc_null); }) ==
        "MPI_ERR_COMM");
  CHECK(class_of([&] { c::graph_neighbors_count(nullptr, 0, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::graph_neighbors(nullptr, 0, 1, value); }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::dist_graph_neighbors_count(nullptr, caller, value, value, value); }) ==
        "MPI_ERR_COMM");
  CHECK(class_of([&] {
          c::dist_graph_neighbors(nullptr, caller, 1, value, value, 1, value, value);
        }) == "MPI_ERR_COMM");
  CHECK(class_of([&] { c::remain_dims_of(nullptr, value); }) == "MPI_ERR_COMM");
}

TEST_CASE("C: grids want a number of dimensions >= 0, sizes >= 1 and no more ranks than an int") {
  const int dims[] = {65536, 65536, 0, -2, 3};
  const int periods[] = {0, 0, 0, 0, 0};
  CHECK(class_of([&] { c::grid_of(-1, dims, periods); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { c::grid_of(2, dims, periods); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { c::grid_of(1, dims + 2, periods); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { c::grid_of(1, dims + 3, periods); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { c::grid_of(1, nullptr, periods); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::grid_of(1, dims, nullptr); }) == "MPI_ERR_ARG");
  CHECK(c::grid_of(0, nullptr, nullptr).num_ranks() == 1);
  CHECK(c::grid_of(1, dims + 4, periods).num_ranks() == 3);
}

TEST_CASE("C: a null array of more entries than memory is an error all the same") {
  const int periods[] = {0};
  CHECK(class_of([&] { c::grid_of(std::numeric_limits<int>::max(), nullptr, periods); }) ==
        "MPI_ERR_ARG");
}

TEST_CASE("C: graphs want counts >= 0, an ascending index and arrays that are there") {
  const int index[] = {1, 2};
  const int edges[] = {1, 0};
  const int descending[] = {2, 1};
  const int negative[] = {-1, 1};
  const int outside[] = {1, 2};
  CHECK(class_of([&] { c::graph_of(2, index, edges); }) == "no error");
  CHECK(class_of([&] { c::graph_of(-1, index, edges); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_of(2, nullptr, edges); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_of(2, index, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_of(2, descending, edges); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_of(2, negative, edges); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_of(2, index, outside); }) == "MPI_ERR_RANK");
  CHECK(c::graph_of(0, nullptr, nullptr).num_ranks() == 0);
  const int isolated[] = {0, 0};
  CHECK(c::graph_of(2, isolated, nullptr).num_edges() == 0);
}

TEST_CASE("C: an index that is wrong is refused before an edge is read") {
  // Edges end before the index says so; only the descent of the index keeps them from being read.
  const std::vector<int> index{1000000, 1};
  const std::vector<int> edges{0};
  CHECK(class_of([&] { c::graph_of(2, index.data(), edges.data()); }) == "MPI_ERR_ARG");
}

TEST_CASE("C: cart_get, cart_rank and cart_coords write what MPI says") {
  const Communicator comm = grid_2x3();
  int dims[3] = {untouched, untouched, untouched};
  int periods[3] = {untouched, untouched, untouched};
  int coords[3] = {untouched, untouched, untouched};
  c::cart_get(&comm, Rank{4}, 3, dims, periods, coords);
  CHECK(std::vector(dims, dims + 3) == std::vector{2, 3, untouched});
  CHECK(std::vector(periods, periods + 3) == std::vector{0, 1, untouched});
  CHECK(std::vector(coords, coords + 3) == std::vector{1, 1, untouched});
  int rank = untouched;
  const int wrapping[] = {1, -1};
  c::cart_rank(&comm, wrapping, &rank);
  CHECK(rank == 5);
  c::cart_coords(&comm, 5, 1, coords);  // a maximum below the number of dimensions
  CHECK(std::vector(coords, coords + 3) == std::vector{1, 1, untouched});
  int ndims = untouched;
  c::cartdim_get(&comm, &ndims);
  CHECK(ndims == 2);
}

TEST_CASE("C: a grid of zero dimensions leaves output arrays unchanged, which may be null") {
  const Communicator comm = cart_create(world(1), c::grid_of(0, nullptr, nullptr));
  int value = untouched;
  c::cart_get(&comm, Rank{0}, 1, &value, &value, &value);
  c::cart_coords(&comm, 0, 1, &value);
  CHECK(value == untouched);
  c::cart_get(&comm, Rank{0}, 0, nullptr, nullptr, nullptr);
  c::cart_coords(&comm, 0, 0, nullptr);
  c::cart_rank(&comm, nullptr, &value);
  CHECK(value == 0);
  CHECK(c::remain_dims_of(&comm, nullptr).empty());
}

TEST_CASE("C: a shift returns the binding's own MPI_PROC_NULL") {
  const Communicator comm = grid_2x3();
  int source = untouched;
  int dest = untouched;
  c::cart_shift(&comm, Rank{0}, 0, 1, &source, &dest, proc_null);
  CHECK(source == proc_null);
  CHECK(dest == 3);
  CHECK(class_of([&] { c::cart_shift(&comm, Rank{0}, 0, 1, nullptr, &dest, proc_null); }) ==
        "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_shift(&comm, Rank{0}, 2, 1, &source, &dest, proc_null); }) ==
        "MPI_ERR_DIMS");
}

TEST_CASE("C: null outputs and negative maxima are MPI_ERR_ARG") {
  const Communicator grid = grid_2x3();
  const Communicator graph = example_7_2();
  const Communicator dist = small_dist_graph(true);
  int value[8] = {};
  CHECK(class_of([&] { c::cart_coords(&grid, 0, 2, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_coords(&grid, 0, -1, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_coords(&grid, 6, 2, value); }) == "MPI_ERR_RANK");
  CHECK(class_of([&] { c::cart_rank(&grid, nullptr, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_rank(&grid, value, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_get(&grid, Rank{0}, 2, nullptr, value, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cart_get(&grid, Rank{0}, -1, value, value, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::cartdim_get(&grid, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::remain_dims_of(&grid, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graphdims_get(&graph, nullptr, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_get(&graph, 4, 6, value, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_get(&graph, -1, 6, value, value); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_neighbors(&graph, 0, 2, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::graph_neighbors(&graph, 9, 2, value); }) == "MPI_ERR_RANK");
  CHECK(class_of([&] { c::graph_neighbors_count(&graph, 0, nullptr); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { c::dist_graph_neighbors_count(&dist, Rank{0}, value, value, nullptr); }) ==
        "MPI_ERR_ARG");
  CHECK(class_of([&] {
          c::dist_graph_neighbors(&dist, Rank{1}, 2, nullptr, value, 1, value, value);
        }) == "MPI_ERR_ARG");
  CHECK(class_of([&] {
          c::dist_graph_neighbors(&dist, Rank{1}, 2, value, nullptr, 1, value, value);
        }) == "MPI_ERR_ARG");
}

TEST_CASE("C: cart_sub reads one logical per dimension") {
  const Communicator comm = grid_2x3();
  const int remain[] = {0, -1};
  CHECK(c::remain_dims_of(&comm, remain) == std::vector<bool>{false, true});
  const Communicator graph = example_7_2();
  CHECK(class_of([&] { c::remain_dims_of(&graph, remain); }) == "MPI_ERR_TOPOLOGY");
}

TEST_CASE("C: graph inquiry writes the arrays of creation, cut to the maxima") {
  const Communicator comm = example_7_2();
  int nnodes = 0;
  int nedges = 0;
  c::graphdims_get(&comm, &nnodes, &nedges);
  CHECK(nnodes == 4);
  CHECK(nedges == 6);
  int index[4] = {};
  int edges[7] = {0, 0, 0, 0, 0, 0, untouched};
  c::graph_get(&comm, 4, 7, index, edges);
  CHECK(std::vector(index, index + 4) == std::vector{2, 3, 4, 6});
  CHECK(std::vector(edges, edges + 7) == std::vector{1, 3, 0, 3, 0, 2, untouched});
  int neighbors[2] = {untouched, untouched};
  c::graph_neighbors(&comm, 3, 1, neighbors);
  CHECK(std::vector(neighbors, neighbors + 2) == std::vector{0, untouched});
  int count = 0;
  c::graph_neighbors_count(&comm, 3, &count);
  CHECK(count == 2);
}

TEST_CASE("C: weights are returned if the graph has them and the caller wants them") {
  const Communicator comm = small_dist_graph(true);
  int indegree = 0;
  int outdegree = 0;
  int weighted = 0;
  c::dist_graph_neighbors_count(&comm, Rank{1}, &indegree, &outdegree, &weighted);
  CHECK(indegree == 2);
  CHECK(outdegree == 1);
  CHECK(weighted == 1);
  int sources[2] = {};
  int sourceweights[2] = {};
  int destination = untouched;
  c::dist_graph_neighbors(&comm, Rank{1}, 2, sources, sourceweights, 1, &destination, std::nullopt);
  CHECK(std::vector(sources, sources + 2) == std::vector{0, 1});
  CHECK(std::vector(sourceweights, sourceweights + 2) == std::vector{7, 0});
  CHECK(destination == 1);
}

TEST_CASE("C: an unweighted graph returns no weights") {
  const Communicator comm = small_dist_graph(false);
  int weighted = untouched;
  int degree = 0;
  c::dist_graph_neighbors_count(&comm, Rank{0}, &degree, &degree, &weighted);
  CHECK(weighted == 0);
  int destination = 0;
  int weight = untouched;
  c::dist_graph_neighbors(&comm, Rank{0}, 0, nullptr, nullptr, 1, &destination, &weight);
  CHECK(weight == untouched);
}

TEST_CASE("C: lists of edges want arrays that are there, and counts and weights >= 0") {
  const int rank[] = {0};
  const int degree[] = {1};
  const int negative[] = {-1};
  const c::WeightArray unweighted;
  const auto adjacent = [&](int in, const int* sources, c::WeightArray weights) {
    return class_of([&] { c::adjacent_edges_of(in, sources, weights, 0, nullptr, unweighted); });
  };
  CHECK(adjacent(1, rank, degree) == "no error");
  CHECK(adjacent(-1, rank, degree) == "MPI_ERR_ARG");
  CHECK(adjacent(1, nullptr, degree) == "MPI_ERR_ARG");
  CHECK(adjacent(1, rank, nullptr) == "MPI_ERR_ARG");
  CHECK(adjacent(1, rank, negative) == "MPI_ERR_ARG");
  CHECK(adjacent(0, nullptr, nullptr) == "no error");
  CHECK(class_of([&] { c::adjacent_edges_of(0, nullptr, unweighted, -1, rank, unweighted); }) ==
        "MPI_ERR_ARG");
  const auto given = [&](int n, const int* sources, const int* degrees, const int* destinations,
                         c::WeightArray weights) {
    return class_of([&] { c::edge_contribution_of(n, sources, degrees, destinations, weights); });
  };
  CHECK(given(1, rank, degree, rank, degree) == "no error");
  CHECK(given(-1, rank, degree, rank, degree) == "MPI_ERR_ARG");
  CHECK(given(1, nullptr, degree, rank, degree) == "MPI_ERR_ARG");
  CHECK(given(1, rank, nullptr, rank, degree) == "MPI_ERR_ARG");
  CHECK(given(1, rank, degree, nullptr, degree) == "MPI_ERR_ARG");
  CHECK(given(1, rank, negative, rank, degree) == "MPI_ERR_ARG");
  CHECK(given(1, rank, degree, rank, negative) == "MPI_ERR_ARG");
  CHECK(given(1, rank, degree, rank, nullptr) == "MPI_ERR_ARG");
}

TEST_CASE("C: a weight that is no int cannot be returned") {
  const std::vector<WeightedEdge> edges{{Rank{0}, Rank{0}, 0.5}, {Rank{1}, Rank{1}, 3e9}};
  const Communicator comm(ProcessGroup::consecutive(ProcessId{0}, 2), DistGraph(2, edges));
  int rank = 0;
  int weight = 0;
  for (const Rank caller : {Rank{0}, Rank{1}})
    CHECK(class_of([&] {
            c::dist_graph_neighbors(&comm, caller, 1, &rank, &weight, 0, nullptr, std::nullopt);
          }) == "MPI_ERR_OTHER");
}
