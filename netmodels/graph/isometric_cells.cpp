#include "netmodels/graph/isometric_cells.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

using Edge = std::pair<int, int>;

/// Breadth-first search.
struct Search {
  std::vector<int> distance;  ///< -1: not reached
  std::vector<Edge> tree;     ///< from the vertex found first
};

Search search_from(const WeightedNeighbours& graph, int start) {
  Search search{std::vector<int>(graph.size(), -1), {}};
  std::vector<int> queue{start};
  search.distance[index(start)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const auto& [next, weight] : graph[index(queue[i])]) {
      if (search.distance[index(next)] >= 0) continue;
      search.distance[index(next)] = search.distance[index(queue[i])] + 1;
      search.tree.push_back({queue[i], next});
      queue.push_back(next);
    }
  return search;
}

std::vector<Edge> edges_of(const WeightedNeighbours& graph) {
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const auto& [next, weight] : graph[v])
      if (narrow<int>(v) < next) edges.push_back({narrow<int>(v), next});
  return edges;
}

/// Factors of the edges, joined step by step.
class Factors {
 public:
  explicit Factors(std::size_t edges) : sets_(edges), count_(edges) {}

  void join(std::size_t one, std::size_t other) {
    const std::size_t a = sets_.find_set(one), b = sets_.find_set(other);
    if (a == b) return;
    sets_.link(a, b);
    --count_;
  }
  std::size_t of(std::size_t edge) { return sets_.find_set(edge); }
  std::size_t count() const { return count_; }

 private:
  boost::disjoint_sets_with_storage<> sets_;
  std::size_t count_;
};

Factors factors_of(const WeightedNeighbours& graph, const std::vector<Edge>& edges,
                   const std::vector<Edge>& tree) {
  std::map<Edge, std::size_t> number;
  for (std::size_t e = 0; e < edges.size(); ++e) number.emplace(edges[e], e);
  Factors factors(edges.size());
  for (const auto& [a, b] : tree) {
    const auto from_a = search_from(graph, a).distance, from_b = search_from(graph, b).distance;
    const std::size_t own = number.at(std::minmax(a, b));
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto [c, d] = edges[e];
      if (from_a[index(c)] + from_b[index(d)] != from_a[index(d)] + from_b[index(c)])
        factors.join(own, e);
    }
    if (factors.count() < 2) break;
  }
  return factors;
}

/// Parts that the edges outside of one factor hold together.
FactorCells cells_without(std::size_t factor, Factors& factors, const std::vector<Edge>& edges,
                          std::size_t vertices) {
  boost::disjoint_sets_with_storage<> sets(vertices);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (factors.of(e) != factor) sets.union_set(index(edges[e].first), index(edges[e].second));
  std::vector<int> number(vertices, -1);
  FactorCells cells;
  for (std::size_t v = 0; v < vertices; ++v) {
    int& cell = number[sets.find_set(v)];
    if (cell < 0) cell = cells.count++;
    cells.cell_of.push_back(cell);
  }
  return cells;
}

/// Cells that some edge joins with each cell.
std::vector<std::set<int>> joined_with(const FactorCells& cells, const std::vector<Edge>& edges) {
  std::vector<std::set<int>> neighbours(index(cells.count));
  for (const auto& [a, b] : edges) {
    const int from = cells.cell_of[index(a)], to = cells.cell_of[index(b)];
    if (from == to) continue;
    neighbours[index(from)].insert(to);
    neighbours[index(to)].insert(from);
  }
  return neighbours;
}

/// Numbers cells as they follow on the ring that they make.
void number_along(const std::vector<std::set<int>>& ring, FactorCells& cells) {
  std::vector<int> place(ring.size(), -1);
  int cell = 0;
  for (int count = 0; count < cells.count; ++count) {
    place[index(cell)] = count;
    const int one = *ring[index(cell)].begin(), other = *ring[index(cell)].rbegin();
    cell = place[index(one)] < 0 ? one : other;
  }
  for (int& old : cells.cell_of) old = place[index(old)];
}

void find_joined(const std::vector<Edge>& edges, FactorCells& cells) {
  const auto neighbours = joined_with(cells, edges);
  const auto all_have = [&](int count) {
    return std::all_of(neighbours.begin(), neighbours.end(),
                       [&](const auto& row) { return narrow<int>(row.size()) == count; });
  };
  if (all_have(cells.count - 1)) {
    cells.joined = AxisKind::complete;
  } else if (all_have(2)) {
    cells.joined = AxisKind::ring;
    number_along(neighbours, cells);
  }
}

}  // namespace

std::vector<FactorCells> isometric_cells(const WeightedNeighbours& graph, double max_steps) {
  const auto edges = edges_of(graph);
  if (edges.empty() ||
      static_cast<double>(graph.size()) * static_cast<double>(edges.size()) > max_steps)
    return {};
  const Search first = search_from(graph, 0);
  if (first.tree.size() + 1 < graph.size()) return {};
  auto factors = factors_of(graph, edges, first.tree);
  std::vector<FactorCells> result;
  std::vector<bool> seen(edges.size(), false);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t factor = factors.of(e);
    if (seen[factor]) continue;
    seen[factor] = true;
    result.push_back(cells_without(factor, factors, edges, graph.size()));
    find_joined(edges, result.back());
  }
  const bool is_ring = result.front().joined == AxisKind::ring;
  return result.size() > 1 || is_ring ? result : std::vector<FactorCells>();
}

}  // namespace vtopo::detail
