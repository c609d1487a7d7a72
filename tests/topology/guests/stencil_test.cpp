#include "topology/guests/guest_topology.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using tests::edges_of;
using tests::message_of;

namespace {

using Edges = std::vector<std::tuple<int, int, double>>;

std::string stencil_error(std::string_view spec) {
  return message_of<UsageError>([&] { parse_stencil(spec); });
}

CommGraph unit_graph(std::string_view spec) {
  const Bytes volume[] = {Bytes{1}};
  return make_comm_graph(*parse_stencil(spec), volume);
}

/// Ordered pairs of ranks of an open grid whose coordinates differ as `are_partners` says, by
/// looking at all pairs.
template <class Partners>
std::size_t count_pairs(const Cartesian& grid, Partners&& are_partners) {
  std::size_t count = 0;
  for (int a = 0; a < grid.num_ranks(); ++a)
    for (int b = 0; b < grid.num_ranks(); ++b) {
      if (a == b) continue;
      auto difference = grid.coords(Rank{b});
      const auto from = grid.coords(Rank{a});
      for (std::size_t d = 0; d < from.size(); ++d) difference[d] -= from[d];
      if (are_partners(difference)) ++count;
    }
  return count;
}

}  // namespace

TEST_CASE("The neumann stencil has the edges of the grid in the same order") {
  for (const std::string sizes : {"4x3", "4px3", "2px1px3p", "5", "2x2x2x2"}) {
    const Bytes volume[] = {Bytes{1}};
    const auto grid = make_comm_graph(parse_virtual_topology("cart:" + sizes), volume);
    CHECK(edges_of(unit_graph("stencil:" + sizes + ":neumann")) == edges_of(grid));
  }
}

TEST_CASE("Stencils on open grids join exactly the pairs that their definitions name") {
  for (const std::string sizes : {"5x4", "3x3x3", "7", "2x5x1"}) {
    INFO(sizes);
    const Cartesian grid = parse_stencil("stencil:" + sizes + ":moore")->grid;
    const auto length = [](const std::vector<int>& difference) {
      int sum = 0;
      for (const int o : difference) sum += std::abs(o);
      return sum;
    };
    CHECK(unit_graph("stencil:" + sizes + ":moore").num_edges() ==
          count_pairs(grid, [](const std::vector<int>& difference) {
            return std::all_of(difference.begin(), difference.end(),
                               [](int o) { return std::abs(o) <= 1; });
          }));
    CHECK(unit_graph("stencil:" + sizes + ":component").num_edges() ==
          count_pairs(grid, [&](const std::vector<int>& difference) {
            return std::abs(difference[0]) == 1 && length(difference) == 1;
          }));
    CHECK(unit_graph("stencil:" + sizes + ":hops").num_edges() ==
          count_pairs(grid, [&](const std::vector<int>& difference) {
            return length(difference) == 1 ||
                   (std::abs(difference[0]) == length(difference) && length(difference) <= 3);
          }));
  }
}

TEST_CASE("A periodic 27-point stencil gives every rank 26 partners") {
  const CommGraph graph = unit_graph("stencil:4px3px5p:moore");
  for (int r = 0; r < graph.num_ranks(); ++r) CHECK(graph.out_edges(Rank{r}).size() == 26);
  // Offsets that meet in one rank stay two edges, an offset around a size of 1 is a self loop.
  CHECK(edges_of(unit_graph("stencil:2p:neumann")) ==
        Edges{{0, 1, 1}, {0, 1, 1}, {1, 0, 1}, {1, 0, 1}});
  CHECK(edges_of(unit_graph("stencil:1p:hops")) == Edges(6, {0, 0, 1}));
}

TEST_CASE("Volumes of a 27-point stencil are of faces, edges and corners") {
  // A periodic rank has 6 faces, 12 edges and 8 corners.
  const Bytes volumes[] = {Bytes{100}, Bytes{10}, Bytes{1}};
  const CommGraph graph = make_comm_graph(*parse_stencil("stencil:3px3px3p:moore"), volumes);
  std::map<double, int> counts;
  for (const CommEdge& edge : graph.out_edges(Rank{13})) ++counts[edge.volume.value];
  CHECK(counts == std::map<double, int>{{100, 6}, {10, 12}, {1, 8}});
}

TEST_CASE("Volumes of other stencils are one per dimension") {
  const Bytes volumes[] = {Bytes{5}, Bytes{7}};
  // hops on 4x2: along dimension 0 2 * (6 + 4 + 2) directed edges, along dimension 1 8.
  CHECK(make_comm_graph(*parse_stencil("stencil:4x2:hops"), volumes).total_volume().value ==
        24 * 5 + 8 * 7);
  CHECK(make_comm_graph(*parse_stencil("stencil:4x2:component"), volumes).total_volume().value ==
        12 * 5);
  const Bytes three[] = {Bytes{1}, Bytes{2}, Bytes{3}};
  CHECK(message_of<UsageError>([&] {
          make_comm_graph(*parse_stencil("stencil:4x2:hops"), three);
        }) == "3 volumes for a stencil of 2 dimensions: accepted are 1 or 2, one per dimension");
  CHECK_THAT(
      message_of<UsageError>([&] { make_comm_graph(*parse_stencil("stencil:4x2:moore"), three); }),
      Catch::EndsWith("(faces, edges, corners)"));
}

TEST_CASE("As a virtual topology a stencil is a distributed graph, nearest neighbours a grid") {
  const auto moore = parse_virtual_topology("stencil:4x4p:moore");
  REQUIRE(std::holds_alternative<DistGraph>(moore));
  const Bytes volume[] = {Bytes{1}};
  CHECK(edges_of(make_comm_graph(moore, volume)) == edges_of(unit_graph("stencil:4x4p:moore")));
  CHECK(std::get<Cartesian>(parse_virtual_topology("stencil:4x4p:neumann")) ==
        std::get<Cartesian>(parse_virtual_topology("cart:4x4p")));
}

TEST_CASE("A malformed stencil is a sentence") {
  CHECK_FALSE(parse_stencil("cart:4x4"));
  CHECK_FALSE(parse_stencil("stencil"));
  CHECK(stencil_error("stencil:8x8") ==
        "\"stencil:8x8\" is not a stencil: accepted is stencil:SIZES:NAME, such as "
        "stencil:64x64p:moore");
  CHECK_THAT(stencil_error("stencil:8x8:moore:2"), Catch::Contains("is not a stencil"));
  CHECK(
      stencil_error("stencil:8x8:more") ==
      "\"stencil:8x8:more\": unknown stencil \"more\"; accepted: neumann, moore, component, hops; "
      "did you mean \"moore\"?");
  CHECK(stencil_error("stencil:8x0:moore") ==
        "size 0 in \"stencil:8x0:moore\": each size must be >= 1");
  CHECK(stencil_error("stencil::moore") ==
        "size \"\" in \"stencil::moore\" is not an integer in 1..2147483647, with p behind it "
        "where the dimension is periodic, such as 8x8p");
  CHECK(stencil_error("stencil:65536x65536:hops") ==
        "\"stencil:65536x65536:hops\": the grid has more than 2147483647 ranks");
  CHECK(stencil_error("stencil:1x1x1x1x1x1x1x1x1x1x1:moore") ==
        "11 dimensions in \"stencil:1x1x1x1x1x1x1x1x1x1x1:moore\": moore takes at most 10");
  CHECK_THAT(message_of<UsageError>([] { parse_virtual_topology("stencil:30000x30000:moore"); }),
             Catch::Contains("too many for a graph"));
}
