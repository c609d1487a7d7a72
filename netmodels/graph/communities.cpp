#include "netmodels/graph/communities.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

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

}  // namespace

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

}  // namespace vtopo::detail
