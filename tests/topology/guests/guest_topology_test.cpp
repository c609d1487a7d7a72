#include "topology/guests/guest_topology.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "tests/support/edges.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::edges_of;

namespace {

CommGraph graph_of(std::string_view spec, std::vector<Bytes> volumes = {{1}}) {
  return make_comm_graph(parse_guest_topology(spec), volumes);
}

using Edges = std::vector<std::tuple<int, int, double>>;

std::map<std::size_t, int> ranks_by_degree(const CommGraph& graph) {
  std::map<std::size_t, int> count;
  for (int r = 0; r < graph.num_ranks(); ++r) ++count[graph.out_edges(Rank{r}).size()];
  return count;
}

/// The definition, all pairs: positions in a square of side 2^30, x before y.
Edges close_pairs(int ranks, int degree, std::uint64_t seed) {
  constexpr std::int64_t side = 1 << 30;
  Random random(seed);
  std::vector<std::int64_t> x, y;
  for (int r = 0; r < ranks; ++r) {
    x.push_back(static_cast<std::int64_t>(random.below(side)));
    y.push_back(static_cast<std::int64_t>(random.below(side)));
  }
  const std::int64_t radius = std::llround(std::sqrt(degree / (3.14159265358979323846 * ranks)) *
                                           static_cast<double>(side));
  Edges edges;
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = a + 1; b < x.size(); ++b) {
      const std::int64_t dx = x[a] - x[b], dy = y[a] - y[b];
      if (dx * dx + dy * dy > radius * radius) continue;
      const auto volume = static_cast<double>(1 + random.below(10));
      edges.emplace_back(static_cast<int>(a), static_cast<int>(b), volume);
      edges.emplace_back(static_cast<int>(b), static_cast<int>(a), volume);
    }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

TEST_CASE("A random geometric graph joins the pairs of points that are close") {
  const int ranks = GENERATE(1, 2, 40, 700);
  const CommGraph graph = graph_of("rgg:" + std::to_string(ranks) + ":8:5");
  CHECK(edges_of(graph) == close_pairs(ranks, 8, 5));
}

TEST_CASE("A random geometric graph has about the degree asked for, less at the border") {
  const CommGraph graph = graph_of("rgg:4096:8:1");
  const double degree = static_cast<double>(graph.num_edges()) / graph.num_ranks();
  CHECK(degree > 7.3);
  CHECK(degree < 8.3);
  CHECK(edges_of(graph) == edges_of(graph_of("rgg:4096:8:1")));
  CHECK(edges_of(graph) != edges_of(graph_of("rgg:4096:8:2")));
}

TEST_CASE("Shuffled ranks keep the shape of the grid") {
  // By hand: 4 corners with 2 neighbours, 8 sides with 3, 4 ranks inside with 4.
  const std::map<std::size_t, int> grid{{2, 4}, {3, 8}, {4, 4}};
  const CommGraph graph = graph_of("shuffle:7:cart:4x4");
  CHECK(ranks_by_degree(graph) == grid);
  CHECK(edges_of(graph) != edges_of(graph_of("cart:4x4")));
  CHECK(edges_of(graph) == edges_of(graph_of("shuffle:7:cart:4x4")));
  for (const auto& [from, to, volume] : edges_of(graph)) {
    const auto back = graph.out_edges(Rank{to});
    const int source = from;
    CHECK(std::any_of(back.begin(), back.end(), [source](const CommEdge& edge) {
      return number(edge.destination) == source;
    }));
  }
}

TEST_CASE("Shuffled stencils take volumes per class of neighbours") {
  // By hand: a 3x3 grid has 12 sides and 8 diagonals, each in both directions.
  const CommGraph graph = graph_of("shuffle:1:stencil:3x3:moore", {{100}, {10}});
  CHECK(graph.num_edges() == 40);
  CHECK(graph.total_volume().value == 24 * 100 + 16 * 10);
}

TEST_CASE("Only topologies in rank order have a grid") {
  CHECK(grid_of(parse_guest_topology("cart:4x4")) != nullptr);
  CHECK(grid_of(parse_guest_topology("stencil:4x4:moore")) != nullptr);
  CHECK(grid_of(parse_guest_topology("shuffle:1:cart:4x4")) == nullptr);
  CHECK(grid_of(parse_guest_topology("rgg:16:4:1")) == nullptr);
}

TEST_CASE("Random and shuffled topologies are distributed graphs with weights") {
  const VirtualTopology topology = parse_virtual_topology("rgg:64:8:3");
  REQUIRE(std::holds_alternative<DistGraph>(topology));
  const Bytes two{2};
  CHECK(edges_of(make_comm_graph(topology, {&two, 1})) == edges_of(graph_of("rgg:64:8:3", {two})));
  CHECK(num_ranks(parse_virtual_topology("shuffle:1:cart:5x5")) == 25);
}

TEST_CASE("Malformed random and shuffled topologies are refused") {
  const auto* spec =
      GENERATE("rgg:64:8", "rgg:0:8:1", "rgg:64:0:1", "rgg:64:8:x", "rgg:64:8:-1",
               "rgg:99999999999:8:1", "shuffle:1", "shuffle:x:cart:4x4", "shuffle:-1:cart:4x4",
               "shuffle:1:shuffle:2:cart:4x4", "shuffle:1:cart:0x4", "shuffle:1:");
  INFO(spec);
  CHECK_THROWS_AS(parse_guest_topology(spec), UsageError);
  CHECK_THROWS_AS(parse_virtual_topology(spec), UsageError);
}
