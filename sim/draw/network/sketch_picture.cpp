#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <set>
#include <utility>

#include "netmodels/fabric/vertex_cells.hpp"
#include "sim/draw/network/layouts.hpp"
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

constexpr double sketch_margin = 60;
constexpr double sketch_width = 1300;
constexpr double row_height = 150;
constexpr double widest_gap = 110;
/// More names would lie on each other.
constexpr std::size_t max_labels = 60;

/// Nodes of each level from left to right.
using Rows = std::vector<std::vector<int>>;

/// Mean place of the neighbours of each node, itself where it has none.
std::vector<double> means_of_neighbours(const Sketch& sketch, const std::vector<double>& place) {
  std::vector<double> sum(place.size(), 0);
  std::vector<int> count(place.size(), 0);
  for (const SketchEdge& edge : sketch.edges)
    for (const auto& [node, other] : {std::pair(edge.from, edge.to), std::pair(edge.to, edge.from)})
      if (sketch.nodes[index(node)].level != sketch.nodes[index(other)].level) {
        sum[index(node)] += place[index(other)];
        ++count[index(node)];
      }
  for (std::size_t n = 0; n < place.size(); ++n)
    sum[n] = count[n] > 0 ? sum[n] / count[n] : place[n];
  return sum;
}

/// Barycentre heuristic (Sugiyama, Tagawa and Toda, 1981): few crossings.
Rows ordered_rows(const Sketch& sketch) {
  int highest = 0;
  for (const SketchNode& node : sketch.nodes) highest = std::max(highest, node.level);
  Rows rows(index(highest) + 1);
  for (std::size_t n = 0; n < sketch.nodes.size(); ++n)
    rows[index(sketch.nodes[n].level)].push_back(narrow<int>(n));
  std::vector<double> place(sketch.nodes.size());
  const auto set_places = [&] {
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        place[index(row[i])] = (double(i) + 0.5) / double(row.size());
  };
  set_places();
  constexpr int sweeps = 8;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const auto mean = means_of_neighbours(sketch, place);
    for (auto& row : rows)
      std::stable_sort(row.begin(), row.end(),
                       [&](int a, int b) { return mean[index(a)] < mean[index(b)]; });
    set_places();
  }
  return rows;
}

/// Whether most cables lead from a level to the next.
bool is_layered(const Sketch& sketch) {
  std::size_t between = 0;
  for (const SketchEdge& edge : sketch.edges)
    between +=
        std::abs(sketch.nodes[index(edge.from)].level - sketch.nodes[index(edge.to)].level) == 1;
  const bool has_levels = std::any_of(sketch.nodes.begin(), sketch.nodes.end(),
                                      [](const SketchNode& node) { return node.level > 1; });
  return has_levels && 10 * between >= 9 * sketch.edges.size();
}

std::vector<Point> places_in_rows(const Sketch& sketch, Point& size) {
  const Rows rows = ordered_rows(sketch);
  std::size_t widest = 1;
  for (const auto& row : rows) widest = std::max(widest, row.size());
  const double width = std::min(sketch_width, widest_gap * double(widest));
  std::vector<Point> places(sketch.nodes.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      places[index(rows[r][i])] = {
          sketch_margin + width * (double(i) + 0.5) / double(rows[r].size()),
          sketch_margin + row_height * double(rows.size() - 1 - r)};
  size = {width + 2 * sketch_margin, row_height * double(rows.size() - 1) + 2 * sketch_margin};
  return places;
}

/// Length of a cable by which others are measured; forces of the paper.
constexpr double cable_length = 60;

struct Attraction {
  template <class Edge, class Graph>
  double operator()(Edge, double, double distance, const Graph&) const {
    return distance * distance / cable_length;
  }
};

/// None far away: parts that nothing joins stay near each other.
struct Repulsion {
  template <class Vertex, class Graph>
  double operator()(Vertex, Vertex, double, double distance, const Graph&) const {
    constexpr double far = 12 * cable_length;
    return distance > far ? 0 : cable_length * cable_length / distance;
  }
};

/// Moves the points into a square at the margin and returns its size.
template <class Points>
std::vector<Point> fitted(const Points& points, double side, Point& size) {
  Point low{points[0][0], points[0][1]}, high = low;
  for (const auto& point : points) {
    low = {std::min(low.x, point[0]), std::min(low.y, point[1])};
    high = {std::max(high.x, point[0]), std::max(high.y, point[1])};
  }
  const double extent = std::max({high.x - low.x, high.y - low.y, 1.0});
  std::vector<Point> places;
  places.reserve(points.size());
  for (const auto& point : points)
    places.push_back({sketch_margin + (point[0] - low.x) * side / extent,
                      sketch_margin + (point[1] - low.y) * side / extent});
  size = {2 * sketch_margin + (high.x - low.x) * side / extent,
          2 * sketch_margin + (high.y - low.y) * side / extent};
  return places;
}

std::vector<Point> places_by_forces(const Sketch& sketch, Point& size) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  using Topology = boost::rectangle_topology<boost::minstd_rand>;
  const std::size_t count = sketch.nodes.size();
  const double spread = cable_length * std::sqrt(double(count));
  boost::minstd_rand random(1);
  // So wide that nothing comes to its border.
  const Topology topology(random, -100 * spread, -100 * spread, 100 * spread, 100 * spread);
  Graph graph(count);
  for (const SketchEdge& edge : sketch.edges)
    boost::add_edge(index(edge.from), index(edge.to), graph);
  std::vector<Topology::point_type> points(count);
  for (std::size_t n = 0; n < count; ++n) {  // on a spiral: all different, none in line
    const double angle = 2.4 * double(n),
                 radius = spread * std::sqrt((double(n) + 0.5) / double(count));
    points[n][0] = radius * std::cos(angle);
    points[n][1] = radius * std::sin(angle);
  }
  constexpr std::size_t steps = 400;
  boost::fruchterman_reingold_force_directed_layout(
      graph, boost::make_iterator_property_map(points.begin(), get(boost::vertex_index, graph)),
      topology,
      boost::cooling(boost::linear_cooling<double>(steps, spread / 4))
          .force_pairs(boost::all_force_pairs())
          .attractive_force(Attraction())
          .repulsive_force(Repulsion()));
  return fitted(points, std::clamp(90 * std::sqrt(double(count)), 240.0, 1100.0), size);
}

/// So many cables that forces would only make a ball.
bool is_dense(const Sketch& sketch) {
  constexpr std::size_t per_node = 8;
  return sketch.edges.size() > per_node * sketch.nodes.size();
}

std::vector<Point> places_on_circle(const Sketch& sketch, Point& size) {
  const auto count = double(sketch.nodes.size());
  const double radius = std::clamp(6 * count, 150.0, 500.0);
  std::vector<Point> places;
  for (double n = 0; n < count; ++n) {
    const double angle = 2 * std::numbers::pi * n / count;
    places.push_back({sketch_margin + radius * (1 + std::sin(angle)),
                      sketch_margin + radius * (1 - std::cos(angle))});
  }
  size = {2 * (sketch_margin + radius), 2 * (sketch_margin + radius)};
  return places;
}

std::string label_of(const SketchNode& node) {
  constexpr std::size_t longest = 22;
  return node.name.size() <= longest ? node.name : node.name.substr(0, longest - 3) + "...";
}

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

NetworkPicture lay_out(const Network& network, const Sketch& sketch, const JobPart& part) {
  NetworkPicture picture;
  Point size;
  const bool layered = is_layered(sketch);
  const auto groups = layered ? std::vector<std::vector<int>>() : joined_groups(sketch);
  const auto places = layered            ? places_in_rows(sketch, size)
                      : !groups.empty()  ? places_in_groups(sketch, groups, size)
                      : is_dense(sketch) ? places_on_circle(sketch, size)
                                         : places_by_forces(sketch, size);
  picture.width = size.x;
  picture.height = size.y;
  const bool labelled = sketch.nodes.size() <= max_labels;
  for (std::size_t n = 0; n < sketch.nodes.size(); ++n) {
    const SketchNode& node = sketch.nodes[n];
    picture.vertices.push_back({node.vertex, node.is_host, places[n], node.name});
    if (labelled) picture.texts.push_back({{places[n].x, places[n].y - 9}, label_of(node), true});
  }
  const bool is_whole = std::all_of(sketch.nodes.begin(), sketch.nodes.end(),
                                    [](const SketchNode& node) { return node.vertex >= 0; });
  if (!part.is_all() && is_whole)
    draw_cables(
        network, part, [](const auto& from, const auto& to) { return line_path(from.at, to.at); },
        picture);
  else
    for (const SketchEdge& edge : sketch.edges) {
      const Point from = places[index(edge.from)], to = places[index(edge.to)];
      picture.cables.push_back(
          {edge.link, edge.back, network.link_class(edge.link), line_path(from, to), edge.cables});
      if (labelled && edge.cables > 1)
        picture.texts.push_back({{(from.x + to.x) / 2, (from.y + to.y) / 2 - 3},
                                 "x" + grouped_digits(edge.cables),
                                 true});
    }
  picture.caption = sketch.remarks;
  if (!groups.empty())
    picture.caption.push_back(fmt::format(
        "A ring is a group of nodes that many cables join; {} groups were found", groups.size()));
  return picture;
}

}  // namespace vtopo::detail
