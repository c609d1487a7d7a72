#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <set>
#include <utility>

#include "netmodels/graph/vertex_cells.hpp"
#include "sim/draw/network/sketch.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Forces draw fewer nodes well.
constexpr std::size_t least_grouped_nodes = 40;
constexpr double ring_gap = 16;
constexpr double leaf_distance = 20;  // from its router
constexpr double ring_margin = 60;

WeightedNeighbours neighbours_of(const Sketch& sketch) {
  WeightedNeighbours graph(sketch.nodes.size());
  for (const SketchEdge& edge : sketch.edges) {
    graph[index(edge.from)].emplace_back(edge.to, edge.cables);
    graph[index(edge.to)].emplace_back(edge.from, edge.cables);
  }
  for (auto& row : graph) merge_neighbours(row);
  return graph;
}

/// Whether most cables stay within groups and most pairs of groups are joined: the parts of a mesh
/// touch only a few others.
bool are_joined_groups(const Sketch& sketch, const std::vector<int>& group_of, int count) {
  constexpr double least_inside = 0.5, least_joined = 0.75;
  std::size_t inside = 0;
  std::set<std::pair<int, int>> joined;
  for (const SketchEdge& edge : sketch.edges) {
    const auto [low, high] = std::minmax(group_of[index(edge.from)], group_of[index(edge.to)]);
    if (low == high)
      ++inside;
    else
      joined.insert({low, high});
  }
  const double pairs = 0.5 * count * (count - 1);
  return double(inside) >= least_inside * double(sketch.edges.size()) &&
         double(joined.size()) >= least_joined * pairs;
}

/// Nodes of a group around its centre: what has one cable only stands outside of its neighbour.
class GroupRing {
 public:
  GroupRing(const std::vector<int>& group, const WeightedNeighbours& graph) : graph_(graph) {
    for (const int node : group)
      if (!is_leaf(node)) ring_.push_back(node);
    const bool has_routers = !ring_.empty();
    if (!has_routers) ring_ = group;
    radius_ = std::max(ring_gap, ring_gap * double(ring_.size()) / (2 * std::numbers::pi));
    leaves_.resize(ring_.size());
    for (const int node : group) {
      if (!has_routers || !is_leaf(node)) continue;
      const int neighbour = graph_[index(node)].front().first;
      const auto at = std::find(ring_.begin(), ring_.end(), neighbour);
      leaves_[at == ring_.end() ? 0 : index(at - ring_.begin())].push_back(node);
    }
  }

  /// Of all its nodes.
  double radius() const {
    const bool has_leaves = std::any_of(leaves_.begin(), leaves_.end(),
                                        [](const auto& leaves) { return !leaves.empty(); });
    return radius_ + (has_leaves ? leaf_distance : 0);
  }

  void place(Point centre, std::vector<Point>& places) const {
    const double step = 2 * std::numbers::pi / double(ring_.size());
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      places[index(ring_[i])] = at(centre, radius_, step * double(i));
      const double share = step / double(leaves_[i].size());
      for (std::size_t leaf = 0; leaf < leaves_[i].size(); ++leaf)
        places[index(leaves_[i][leaf])] =
            at(centre, radius_ + leaf_distance,
               step * (double(i) - 0.5) + share * (double(leaf) + 0.5));
    }
  }

  static Point at(Point centre, double distance, double angle) {
    return {centre.x + distance * std::sin(angle), centre.y - distance * std::cos(angle)};
  }

 private:
  bool is_leaf(int node) const { return graph_[index(node)].size() == 1; }

  const WeightedNeighbours& graph_;
  std::vector<int> ring_;
  std::vector<std::vector<int>> leaves_;  ///< of each node of the ring
  double radius_ = 0;                     ///< of the ring
};

}  // namespace

std::vector<std::vector<int>> joined_groups(const Sketch& sketch) {
  constexpr int least_groups = 3;
  if (sketch.nodes.size() < least_grouped_nodes) return {};
  const auto levels = communities(neighbours_of(sketch));
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const int count = 1 + *std::max_element(level->begin(), level->end());
    if (count < least_groups) continue;
    if (!are_joined_groups(sketch, *level, count)) return {};
    std::vector<std::vector<int>> groups(index(count));
    for (std::size_t node = 0; node < level->size(); ++node)
      groups[index((*level)[node])].push_back(narrow<int>(node));
    return groups;
  }
  return {};
}

std::vector<Point> places_in_groups(const Sketch& sketch,
                                    const std::vector<std::vector<int>>& groups, Point& size) {
  constexpr double apart = 1.3;
  const WeightedNeighbours graph = neighbours_of(sketch);
  std::vector<GroupRing> rings;
  double largest = 0;
  for (const auto& group : groups) {
    rings.emplace_back(group, graph);
    largest = std::max(largest, rings.back().radius());
  }
  const double step = 2 * std::numbers::pi / double(rings.size());
  const double away = apart * largest / std::sin(step / 2);
  const double middle = away + largest + ring_margin;
  size = {2 * middle, 2 * middle};
  std::vector<Point> places(sketch.nodes.size());
  for (std::size_t g = 0; g < rings.size(); ++g)
    rings[g].place(GroupRing::at({middle, middle}, away, step * double(g)), places);
  return places;
}

}  // namespace vtopo::detail
