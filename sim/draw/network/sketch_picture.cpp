#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "sim/draw/network/layouts.hpp"
#include "sim/draw/network/sketch.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

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

NetworkPicture lay_out(const Network& network, const Sketch& sketch) {
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
    picture.vertices.push_back({narrow<int>(n), node.is_host, places[n], node.name});
    if (labelled) picture.texts.push_back({{places[n].x, places[n].y - 9}, label_of(node), true});
  }
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
