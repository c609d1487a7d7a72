#include <catch2/catch.hpp>

#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

#include "netmodels/fabric/vertex_cells.hpp"
#include "netmodels/network_spec.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr double any_steps = 1e9;

/// Vertices of a network without separate routers.
WeightedNeighbours vertices_of(const char* spec) {
  const auto network = make_network(spec, {});
  const auto links = JoinedVertices::of(*network);
  std::vector<int> single(static_cast<std::size_t>(links->num_vertices));
  std::iota(single.begin(), single.end(), 0);
  return joined_cells(*links, single, links->num_vertices);
}

/// `count` complete graphs of `size` vertices, each joined with the next one by one edge.
WeightedNeighbours cliques(int count, int size) {
  WeightedNeighbours graph(static_cast<std::size_t>(count * size));
  const auto join = [&](int a, int b) {
    graph[static_cast<std::size_t>(a)].push_back({b, 1});
    graph[static_cast<std::size_t>(b)].push_back({a, 1});
  };
  for (int c = 0; c < count; ++c) {
    for (int a = 0; a < size; ++a)
      for (int b = a + 1; b < size; ++b) join(c * size + a, c * size + b);
    join(c * size, (c + 1) % count * size + 1);
  }
  for (auto& row : graph) merge_neighbours(row);
  return graph;
}

int cells_apart(const FactorCells& factor, std::size_t a, std::size_t b) {
  const int apart = std::abs(factor.cell_of[a] - factor.cell_of[b]);
  if (factor.joined == AxisKind::ring) return std::min(apart, factor.count - apart);
  return apart == 0 ? 0 : 1;
}

}  // namespace

TEST_CASE("Distances are the sum over factors of the distances of cells") {
  // Graham and Winkler 1985. HyperX: a factor per dimension; a path of n: n - 1; an even ring of n:
  // n / 2; an odd ring: one.
  const auto [spec, factors] = GENERATE(table<const char*, std::size_t>(
      {{"hyperx:4x3x2", 3}, {"mesh:4x3", 5}, {"torus:6x4", 5}, {"torus:5x3", 2}, {"torus:7", 1}}));
  INFO(spec);
  const auto network = make_network(spec, {});
  const auto found = isometric_cells(vertices_of(spec), any_steps);
  REQUIRE(found.size() == factors);
  for (int a = 0; a < network->num_hosts(); ++a)
    for (int b = 0; b < network->num_hosts(); ++b) {
      int sum = 0;
      for (const FactorCells& factor : found)
        sum += cells_apart(factor, static_cast<std::size_t>(a), static_cast<std::size_t>(b));
      REQUIRE(sum == network->hops(HostId{a}, HostId{b}));
    }
}

TEST_CASE("A graph with one factor, in parts or too large for its limit has no cells") {
  CHECK(isometric_cells(vertices_of("hyperx:5"), any_steps).empty());  // complete graph: prime
  CHECK(isometric_cells(vertices_of("hyperx:4x4"), 100).empty());      // 16 * 48 steps
  WeightedNeighbours parts(4);
  parts[0] = {{1, 1}};
  parts[1] = {{0, 1}};
  CHECK(isometric_cells(parts, any_steps).empty());
}

TEST_CASE("Communities of a ring of cliques are the cliques") {
  // Blondel et al. 2008, figure 2: 30 cliques of 5; the first level is the cliques.
  const auto levels = communities(cliques(30, 5));
  REQUIRE_FALSE(levels.empty());
  for (std::size_t v = 0; v < 150; ++v) CHECK(levels.front()[v] == static_cast<int>(v) / 5);
}

TEST_CASE("A complete graph has no communities") {
  CHECK(communities(vertices_of("hyperx:6")).empty());
}
