#include "topology/mpi/communicator.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "tests/support/message_of.hpp"
#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/mpi/periodicities.hpp"
#include "tests/topology/ranks.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

constexpr int int_max = std::numeric_limits<int>::max();
constexpr int int_min = std::numeric_limits<int>::min();

Communicator cart_of(std::vector<Dimension> dimensions) {
  Cartesian grid(std::move(dimensions));
  return cart_create(world(grid.num_ranks()), grid);
}

Communicator small_graph() {
  return graph_create(world(2), Graph({ranks({1, 0, 1}), ranks({0})})).value();
}

Communicator small_dist_graph() {
  std::vector<EdgeContribution> given(2);
  given[0] = {ranks({0}), {3}, ranks({1, 1, 0}), std::vector<double>{4, 5, 6}};
  given[1].weights = std::vector<double>();
  return dist_graph_create(world(2), given);
}

std::string class_of_rank(const Communicator& comm, std::vector<int> coords) {
  return class_of([&] { cart_rank(comm, coords); });
}

int rank_of(const Communicator& comm, std::vector<int> coords) {
  return number(cart_rank(comm, coords));
}

}  // namespace

TEST_CASE("topo_test tells the kind of virtual topology, or none") {
  CHECK_FALSE(topo_test(world(2)));
  CHECK(topo_test(cart_of({{2}})) == TopologyKind::cart);
  CHECK(topo_test(small_graph()) == TopologyKind::graph);
  CHECK(topo_test(small_dist_graph()) == TopologyKind::dist_graph);
}

TEST_CASE("cart_get gives dimensions, periodicity and the caller's coordinates") {
  const Communicator comm = cart_of({{2}, {3, periodic}});
  CHECK(cartdim_get(comm) == 2);
  const auto [dimensions, coords] = cart_get(comm, Rank{5});
  CHECK(dimensions == std::vector<Dimension>{{2}, {3, periodic}});
  CHECK(coords == std::vector{1, 2});
}

TEST_CASE("A grid of zero dimensions has ndims 0, empty answers and rank 0 for any coordinates") {
  const Communicator comm = cart_of({});
  CHECK(cartdim_get(comm) == 0);
  CHECK(cart_get(comm, Rank{0}).dimensions.empty());
  CHECK(cart_get(comm, Rank{0}).coords.empty());
  CHECK(cart_coords(comm, Rank{0}).empty());
  CHECK(rank_of(comm, {}) == 0);
  CHECK(rank_of(comm, {7, -3}) == 0);  // "coords is not significant"
  CHECK(class_of([&] { cart_coords(comm, Rank{1}); }) == "MPI_ERR_RANK");
}

TEST_CASE("Coordinates of periodic dimensions wrap however far out they are") {
  const Communicator comm = cart_of({{4, periodic}, {3, periodic}});
  CHECK(rank_of(comm, {-1, 0}) == 9);
  CHECK(rank_of(comm, {4, 3}) == 0);
  CHECK(rank_of(comm, {-9, 7}) == 10);             // -9 mod 4 = 3, 7 mod 3 = 1
  CHECK(rank_of(comm, {int_max, int_min}) == 10);  // 2^31-1 mod 4 = 3, -2^31 mod 3 = 1
  CHECK(rank_of(comm, {int_min, int_max}) == 1);   // -2^31 mod 4 = 0, 2^31-1 mod 3 = 1
}

TEST_CASE("Coordinates of the longest periodic dimension wrap without overflow") {
  const Communicator comm = cart_of({{int_max, periodic}});
  CHECK(rank_of(comm, {-1}) == int_max - 1);
  CHECK(rank_of(comm, {int_max}) == 0);
  CHECK(rank_of(comm, {int_min}) == int_max - 1);  // -2^31 = -1 * (2^31-1) - 1
  CHECK(rank_of(comm, {int_max - 1}) == int_max - 1);
}

TEST_CASE("Coordinates outside an open dimension are MPI_ERR_ARG, as is a wrong number of them") {
  const Communicator comm = cart_of({{4}, {3, periodic}});
  CHECK(class_of_rank(comm, {4, 0}) == "MPI_ERR_ARG");
  CHECK(class_of_rank(comm, {-1, 0}) == "MPI_ERR_ARG");
  CHECK(class_of_rank(comm, {int_min, 0}) == "MPI_ERR_ARG");
  CHECK(class_of_rank(comm, {3, -1}) == "no error");
  CHECK(class_of_rank(comm, {3}) == "MPI_ERR_ARG");
  CHECK(class_of_rank(comm, {3, 0, 0}) == "MPI_ERR_ARG");
  CHECK(message_of<MpiError>([&] {
          rank_of(comm, {4, 0});
        }) == "coordinate 4 of open dimension 0 is outside 0..3");
}

TEST_CASE("A shift is circular in periodic dimensions for any displacement") {
  const Communicator comm = cart_of({{5, periodic}});
  const auto shift = [&](int caller, int disp) { return cart_shift(comm, Rank{caller}, 0, disp); };
  CHECK(shift(1, 0) == ShiftRanks{Rank{1}, Rank{1}});
  CHECK(shift(1, 2) == ShiftRanks{Rank{4}, Rank{3}});
  CHECK(shift(1, -2) == ShiftRanks{Rank{3}, Rank{4}});
  CHECK(shift(1, 5) == ShiftRanks{Rank{1}, Rank{1}});
  CHECK(shift(1, 12) == ShiftRanks{Rank{4}, Rank{3}});
  CHECK(shift(0, int_max) == ShiftRanks{Rank{3}, Rank{2}});  // 2^31-1 mod 5 = 2
  CHECK(shift(0, int_min) == ShiftRanks{Rank{3}, Rank{2}});  // -2^31 mod 5 = 2
}

TEST_CASE("A shift is end-off in open dimensions: beyond the border is nobody") {
  const Communicator comm = cart_of({{2}, {5}});
  const auto shift = [&](int caller, int disp) { return cart_shift(comm, Rank{caller}, 1, disp); };
  CHECK(shift(5, 1) == ShiftRanks{std::nullopt, Rank{6}});
  CHECK(shift(9, 1) == ShiftRanks{Rank{8}, std::nullopt});
  CHECK(shift(7, -2) == ShiftRanks{Rank{9}, Rank{5}});
  CHECK(shift(7, 0) == ShiftRanks{Rank{7}, Rank{7}});
  CHECK(shift(7, 5) == ShiftRanks{});
  CHECK(shift(7, int_max) == ShiftRanks{});
  CHECK(shift(7, int_min) == ShiftRanks{});
}

TEST_CASE("A shift wants a direction of the grid and a rank of the communicator") {
  const Communicator comm = cart_of({{2}, {5}});
  CHECK(class_of([&] { cart_shift(comm, Rank{0}, 2, 1); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { cart_shift(comm, Rank{0}, -1, 1); }) == "MPI_ERR_DIMS");
  CHECK(class_of([&] { cart_shift(comm, Rank{10}, 0, 1); }) == "MPI_ERR_RANK");
  CHECK(class_of([&] { cart_shift(comm, Rank{-1}, 0, 1); }) == "MPI_ERR_RANK");
  CHECK(message_of<MpiError>([&] { cart_shift(comm, Rank{0}, 2, 1); }) ==
        "dimension 2 of a 2-dimensional grid: accepted are 0..1");
}

TEST_CASE("A shift on a grid of zero dimensions is MPI_ERR_TOPOLOGY") {
  CHECK(class_of([] { cart_shift(cart_of({}), Rank{0}, 0, 1); }) == "MPI_ERR_TOPOLOGY");
}

TEST_CASE("Ranks outside the communicator are MPI_ERR_RANK in every inquiry") {
  const Communicator grid = cart_of({{2}, {3}});
  const Communicator graph = small_graph();
  const Communicator dist = small_dist_graph();
  for (const int outside : {-1, 6, int_max, int_min}) {
    const Rank rank{outside};
    CHECK(class_of([&] { cart_coords(grid, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { cart_get(grid, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { graph_neighbors_count(graph, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { graph_neighbors(graph, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { dist_graph_neighbors_count(dist, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { dist_graph_neighbors(dist, rank); }) == "MPI_ERR_RANK");
    CHECK(class_of([&] { neighbourhood(*dist.topology(), rank); }) == "MPI_ERR_RANK");
  }
}

TEST_CASE("Each inquiry wants its kind of virtual topology") {
  struct Inquiry {
    const char* name;
    TopologyKind kind;
    std::function<void(const Communicator&)> ask;
  };
  using enum TopologyKind;
  const std::vector<int> coords{0};
  const std::vector<Inquiry> inquiries{
      {"graphdims_get", graph, [](const auto& comm) { graphdims_get(comm); }},
      {"graph_get", graph, [](const auto& comm) { graph_get(comm); }},
      {"graph_neighbors_count", graph, [](const auto& c) { graph_neighbors_count(c, Rank{0}); }},
      {"graph_neighbors", graph, [](const auto& c) { graph_neighbors(c, Rank{0}); }},
      {"cartdim_get", cart, [](const auto& comm) { cartdim_get(comm); }},
      {"cart_get", cart, [](const auto& comm) { cart_get(comm, Rank{0}); }},
      {"cart_rank", cart, [&](const auto& comm) { cart_rank(comm, coords); }},
      {"cart_coords", cart, [](const auto& comm) { cart_coords(comm, Rank{0}); }},
      {"cart_shift", cart, [](const auto& comm) { cart_shift(comm, Rank{0}, 0, 1); }},
      {"cart_sub", cart, [](const auto& comm) { cart_sub(comm, {true}); }},
      {"dist_graph_neighbors_count", dist_graph,
       [](const auto& c) { dist_graph_neighbors_count(c, Rank{0}); }},
      {"dist_graph_neighbors", dist_graph,
       [](const auto& c) { dist_graph_neighbors(c, Rank{0}); }}};
  const std::vector<std::pair<TopologyKind, Communicator>> communicators{
      {cart, cart_of({{2}})}, {graph, small_graph()}, {dist_graph, small_dist_graph()}};
  for (const Inquiry& inquiry : inquiries) {
    INFO(inquiry.name);
    CHECK(class_of([&] { inquiry.ask(world(2)); }) == "MPI_ERR_TOPOLOGY");
    for (const auto& [kind, comm] : communicators) {
      const bool fits = kind == inquiry.kind;
      const auto ask = [&ask = inquiry.ask, &on = comm] { ask(on); };
      CHECK(class_of(ask) == (fits ? "no error" : "MPI_ERR_TOPOLOGY"));
    }
  }
}

TEST_CASE("An inquiry about the wrong kind names the call and both kinds") {
  CHECK(
      message_of<MpiError>([] { cartdim_get(world(2)); }) ==
      "cartdim_get of a communicator without a virtual topology: accepted is one with a Cartesian "
      "topology");
  CHECK(
      message_of<MpiError>([] { graph_get(small_dist_graph()); }) ==
      "graph_get of a communicator with a distributed graph topology: accepted is one with a graph "
      "topology");
}

TEST_CASE("Maxima cut answers to their first part") {
  const Communicator grid = cart_of({{2}, {3}, {4}});
  CHECK(cart_coords(grid, Rank{23}, 2) == std::vector{1, 2});
  CHECK(cart_get(grid, Rank{23}, 1).coords == std::vector{1});
  CHECK(cart_get(grid, Rank{23}, 1).dimensions == std::vector<Dimension>{{2}});
  CHECK(cart_coords(grid, Rank{23}, 0).empty());
  CHECK(graph_neighbors(small_graph(), Rank{0}, 2) == ranks({1, 0}));
  CHECK(graph_get(small_graph(), 1, 2).index == std::vector{3});
  CHECK(graph_get(small_graph(), 1, 2).edges == ranks({1, 0}));
  const auto edges = dist_graph_neighbors(small_dist_graph(), Rank{0}, 0, 2);
  CHECK(edges.sources.empty());
  CHECK(edges.source_weights == std::vector<double>());
  CHECK(edges.destinations == ranks({1, 1}));
  CHECK(edges.destination_weights == std::vector<double>{4, 5});
}

TEST_CASE("Negative maxima are MPI_ERR_ARG") {
  CHECK(class_of([] { cart_coords(cart_of({{2}}), Rank{0}, -1); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { cart_get(cart_of({{2}}), Rank{0}, -1); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { graph_get(small_graph(), -1, 9); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { graph_get(small_graph(), 9, -1); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { graph_neighbors(small_graph(), Rank{0}, -1); }) == "MPI_ERR_ARG");
  const Communicator dist = small_dist_graph();
  CHECK(class_of([&] { dist_graph_neighbors(dist, Rank{0}, -1, 9); }) == "MPI_ERR_ARG");
  CHECK(class_of([&] { dist_graph_neighbors(dist, Rank{0}, 9, -1); }) == "MPI_ERR_ARG");
}

TEST_CASE("Two calls of dist_graph_neighbors return the same sequence of edges") {
  const Communicator comm = small_dist_graph();
  CHECK(dist_graph_neighbors(comm, Rank{1}).source_weights ==
        dist_graph_neighbors(comm, Rank{1}).source_weights);
  CHECK(dist_graph_neighbors(comm, Rank{1}).sources == ranks({0, 0}));
}

TEST_CASE("A grid of 10^9 ranks answers without memory per rank") {
  const Communicator comm = cart_of({{1000, periodic}, {1000}, {1000}});
  CHECK(cart_coords(comm, Rank{123456789}) == std::vector{123, 456, 789});
  CHECK(rank_of(comm, {-1, 999, 999}) == 999999999);
  CHECK(cart_shift(comm, Rank{123456789}, 0, -124).destination == Rank{999456789});
  CHECK(cart_shift(comm, Rank{123456789}, 2, 211) == ShiftRanks{Rank{123456578}, std::nullopt});
  CHECK(comm.dup().rank_of(ProcessId{999999999}) == Rank{999999999});
}
