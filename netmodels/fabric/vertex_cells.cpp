#include "netmodels/fabric/vertex_cells.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Vertices are numbers.
using UndirectedGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// The widest link that is shared, or 1: what a link without limit counts as.
double widest(const std::vector<double>& bandwidths) {
  double most = 0;
  for (const double bandwidth : bandwidths)
    if (std::isfinite(bandwidth)) most = std::max(most, bandwidth);
  return most > 0 ? most : 1;
}

/// Sweeps over all vertices, at most: the last ones move next to nothing.
constexpr int max_sweeps = 20;
/// Gains below this are rounding errors.
constexpr double least_gain = 1e-9;

/// One level: vertices move between communities.
class Moves {
 public:
  /// @param own twice the weight inside each vertex.
  Moves(const WeightedNeighbours& graph, const std::vector<double>& own)
      : graph_(graph), weight_(own), community_(graph.size()), to_(graph.size(), 0) {
    std::iota(community_.begin(), community_.end(), 0);
    for (std::size_t v = 0; v < graph.size(); ++v)
      for (const auto& [neighbour, weight] : graph[v]) weight_[v] += weight;
    inside_ = weight_;
    total_ = std::accumulate(weight_.begin(), weight_.end(), 0.0);
  }

  /// Communities in the order of their first vertices, and their number.
  std::pair<std::vector<int>, int> run() {
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      bool moved = false;
      for (std::size_t v = 0; v < graph_.size(); ++v) moved = move(v) || moved;
      if (!moved) break;
    }
    std::vector<int> number(graph_.size(), -1);
    int count = 0;
    for (int& community : community_) {
      int& found = number[index(community)];
      if (found < 0) found = count++;
      community = found;
    }
    return {std::move(community_), count};
  }

 private:
  bool move(std::size_t v) {
    const int old = community_[v];
    for (const auto& [neighbour, weight] : graph_[v])
      to_[index(community_[index(neighbour)])] += weight;
    inside_[index(old)] -= weight_[v];
    // What the modularity gains by joining, times half of all weight.
    const auto gain = [&](int community) {
      return to_[index(community)] - inside_[index(community)] * weight_[v] / total_;
    };
    int best = old;
    for (const auto& [neighbour, weight] : graph_[v]) {
      const int candidate = community_[index(neighbour)];
      const double more = gain(candidate) - gain(best);
      if (more > least_gain || (more > -least_gain && best != old && candidate < best))
        best = candidate;
    }
    inside_[index(best)] += weight_[v];
    community_[v] = best;
    for (const auto& [neighbour, weight] : graph_[v]) to_[index(community_[index(neighbour)])] = 0;
    to_[index(old)] = 0;
    return best != old;
  }

  const WeightedNeighbours& graph_;
  std::vector<double> weight_;  ///< of the links at each vertex
  std::vector<double> inside_;  ///< of the vertices of each community
  std::vector<int> community_;
  std::vector<double> to_;  ///< from the vertex that moves to each community
  double total_ = 0;
};

/// Communities as vertices; `own` becomes twice the weight inside each.
WeightedNeighbours merged(const WeightedNeighbours& graph, const std::vector<int>& community,
                          int count, std::vector<double>& own) {
  std::vector<double> inside(index(count), 0);
  WeightedNeighbours result(index(count));
  for (std::size_t v = 0; v < graph.size(); ++v) {
    const int from = community[v];
    inside[index(from)] += own[v];
    for (const auto& [neighbour, weight] : graph[v]) {
      const int to = community[index(neighbour)];
      if (to == from)
        inside[index(from)] += weight;
      else
        result[index(from)].push_back({to, weight});
    }
  }
  for (auto& row : result) merge_neighbours(row);
  own = std::move(inside);
  return result;
}

using Edge = std::pair<int, int>;

/// Fewest edges from `start` to each vertex.
std::vector<int> distances_from(const UndirectedGraph& graph, int start) {
  std::vector<int> distances(num_vertices(graph));
  boost::breadth_first_search(graph, index(start),
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distances.data(), boost::on_tree_edge()))));
  return distances;
}

/// Edges of a spanning tree of what vertex 0 is joined with.
std::vector<Edge> tree_from_first(const UndirectedGraph& graph) {
  std::vector<std::size_t> before(num_vertices(graph), num_vertices(graph));
  boost::breadth_first_search(graph, std::size_t{0},
                              boost::visitor(boost::make_bfs_visitor(boost::record_predecessors(
                                  before.data(), boost::on_tree_edge()))));
  std::vector<Edge> tree;
  for (std::size_t v = 0; v < before.size(); ++v)
    if (before[v] < before.size()) tree.push_back({narrow<int>(before[v]), narrow<int>(v)});
  return tree;
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

Factors factors_of(const UndirectedGraph& graph, const std::vector<Edge>& edges,
                   const std::vector<Edge>& tree) {
  std::map<Edge, std::size_t> number;
  for (std::size_t e = 0; e < edges.size(); ++e) number.emplace(edges[e], e);
  Factors factors(edges.size());
  for (const auto& [a, b] : tree) {
    const auto from_a = distances_from(graph, a), from_b = distances_from(graph, b);
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
  UndirectedGraph others(vertices);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (factors.of(e) != factor) add_edge(index(edges[e].first), index(edges[e].second), others);
  FactorCells cells{std::vector<int>(vertices)};
  cells.count = boost::connected_components(others, cells.cell_of.data());
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

std::optional<JoinedVertices> JoinedVertices::of(const Network& network) {
  JoinedVertices links;
  links.num_vertices = network.num_hosts();
  for (int l = 0; l < network.num_links(); ++l) {
    const auto sides = network.link_sides(LinkId{l});
    if (!sides) return std::nullopt;
    links.num_vertices = std::max({links.num_vertices, sides->from + 1, sides->to + 1});
    if (sides->from == sides->to) continue;
    links.sides.push_back(*sides);
    const LinkProperties link = network.link(LinkId{l});
    links.bandwidths.push_back(link.sharing == LinkSharing::fatpipe
                                   ? std::numeric_limits<double>::infinity()
                                   : link.bandwidth.value);
  }
  return links;
}

void merge_neighbours(std::vector<WeightedNeighbour>& row) {
  std::sort(row.begin(), row.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (kept > 0 && row[kept - 1].first == row[i].first)
      row[kept - 1].second += row[i].second;
    else
      row[kept++] = row[i];
  row.resize(kept);
}

WeightedNeighbours joined_cells(const JoinedVertices& links, const std::vector<int>& cell_of,
                                int count) {
  WeightedNeighbours neighbours(index(count));
  const double most = widest(links.bandwidths);
  for (std::size_t l = 0; l < links.sides.size(); ++l) {
    const int from = cell_of[index(links.sides[l].from)], to = cell_of[index(links.sides[l].to)];
    if (from < 0 || to < 0 || from == to) continue;
    const double weight = std::min(links.bandwidths[l], most) / most;
    neighbours[index(from)].push_back({to, weight});
    neighbours[index(to)].push_back({from, weight});
  }
  for (auto& row : neighbours) merge_neighbours(row);
  return neighbours;
}

std::vector<std::vector<int>> communities(WeightedNeighbours graph) {
  std::vector<std::vector<int>> levels;
  std::vector<double> own(graph.size(), 0);
  while (graph.size() > 2) {
    const auto [community, count] = Moves(graph, own).run();
    if (count < 2 || index(count) == graph.size()) break;
    graph = merged(graph, community, count, own);
    if (levels.empty()) {
      levels.push_back(community);
      continue;
    }
    std::vector<int> of_vertices = levels.back();
    for (int& cell : of_vertices) cell = community[index(cell)];
    levels.push_back(std::move(of_vertices));
  }
  return levels;
}

std::vector<FactorCells> isometric_cells(const WeightedNeighbours& neighbours, double max_steps) {
  const auto edges = edges_of(neighbours);
  const std::size_t vertices = neighbours.size();
  if (edges.empty() ||
      static_cast<double>(vertices) * static_cast<double>(edges.size()) > max_steps)
    return {};
  UndirectedGraph graph(vertices);
  for (const auto& [a, b] : edges) add_edge(index(a), index(b), graph);
  const auto tree = tree_from_first(graph);
  if (tree.size() + 1 < vertices) return {};
  auto factors = factors_of(graph, edges, tree);
  std::vector<FactorCells> result;
  std::vector<bool> seen(edges.size(), false);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t factor = factors.of(e);
    if (seen[factor]) continue;
    seen[factor] = true;
    result.push_back(cells_without(factor, factors, edges, vertices));
    find_joined(edges, result.back());
  }
  const bool is_ring = result.front().joined == AxisKind::ring;
  return result.size() > 1 || is_ring ? result : std::vector<FactorCells>();
}

}  // namespace vtopo::detail
