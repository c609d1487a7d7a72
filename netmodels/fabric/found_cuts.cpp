#include "netmodels/fabric/found_cuts.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/pending/queue.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "netmodels/fabric/bisection.hpp"
#include "netmodels/fabric/vertex_cells.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Vertices are numbers.
using UndirectedGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Families of parts that different bandwidths hold together, at most.
constexpr std::size_t max_bandwidths = 8;
/// Links above which no bisection is searched: bounds are to cost less than mappers.
constexpr std::size_t max_arcs_for_bisection = 20'000;
/// The same for the factors of the graph: vertices x links, about 0.1 s.
constexpr double max_steps_for_factors = 2e7;
/// Factors above which the graph is not a product of a few: a mesh of 32x32 has 62.
constexpr std::size_t max_factors = 64;

/// Links from each vertex to the nearest host; -1 where none is reached.
std::vector<int> levels_of(const JoinedVertices& links, int num_hosts) {
  UndirectedGraph graph(index(links.num_vertices));
  for (const auto& [from, to] : links.sides) add_edge(index(from), index(to), graph);
  std::vector<int> level(index(links.num_vertices), -1);
  std::fill_n(level.begin(), num_hosts, 0);
  boost::queue<std::size_t> found;
  boost::two_bit_color_map<> colors(level.size());
  const boost::counting_iterator<std::size_t> first(0), end(index(num_hosts));
  boost::breadth_first_visit(
      graph, first, end, found,
      boost::make_bfs_visitor(boost::record_distances(level.data(), boost::on_tree_edge())),
      colors);
  return level;
}

/// Routers with their hosts: the cell of each vertex. Hosts that are routers are cells themselves.
/// @return no cells where some host hangs on no router or on several.
VertexCells routers_with_hosts(const JoinedVertices& links, int num_hosts, bool hosts_pass_on) {
  VertexCells cells{"routers", 0, {}, AxisKind::complete, 0};
  if (hosts_pass_on) {
    for (int v = 0; v < links.num_vertices; ++v) cells.cell_of.push_back(cells.count++);
    return cells;
  }
  cells.cell_of.assign(index(links.num_vertices), -1);
  for (int v = num_hosts; v < links.num_vertices; ++v) cells.cell_of[index(v)] = cells.count++;
  for (const auto& [from, to] : links.sides) {
    if ((from < num_hosts) == (to < num_hosts)) continue;
    int& cell = cells.cell_of[index(std::min(from, to))];
    const int router = cells.cell_of[index(std::max(from, to))];
    if (cell >= 0 && cell != router) return {};
    cell = router;
  }
  const auto hosts_end = cells.cell_of.begin() + num_hosts;
  return std::find(cells.cell_of.begin(), hosts_end, -1) == hosts_end ? cells : VertexCells();
}

/// Parts that `holds(link)` keeps together; those without hosts are outside of all cells.
template <class Holds>
VertexCells parts_of(std::string name, const JoinedVertices& links, int num_hosts,
                     const Holds& holds) {
  UndirectedGraph graph(index(links.num_vertices));
  for (std::size_t l = 0; l < links.sides.size(); ++l)
    if (holds(l)) add_edge(index(links.sides[l].from), index(links.sides[l].to), graph);
  std::vector<int> part_of(index(links.num_vertices));
  const int parts = boost::connected_components(graph, part_of.data());
  VertexCells cells{std::move(name), 0, {}, AxisKind::complete, 0};
  std::vector<int> cell_of_part(index(parts), -1);
  for (int v = 0; v < links.num_vertices; ++v) {
    int& cell = cell_of_part[index(part_of[index(v)])];
    if (cell < 0 && v < num_hosts) cell = cells.count++;  // hosts come first
    cells.cell_of.push_back(cell);
  }
  return cells;
}

class CutSearch {
 public:
  CutSearch(const Network& network, JoinedVertices links)
      : network_(network), links_(std::move(links)) {}

  std::vector<VertexCells> search() {
    const VertexCells routers = routers_with_hosts(links_, network_.num_hosts(), hosts_pass_on());
    const bool has_subtrees = add_subtrees();
    if (routers.count > 1) add_parts_of_routers(routers, has_subtrees);
    add_bandwidths();
    if (!has_subtrees) add_bisection();
    spread_hops();
    return std::move(families_);
  }

 private:
  bool add(VertexCells cells) {
    if (cells.count < 2) return false;
    const auto is_known = [&](const VertexCells& other) { return other.cell_of == cells.cell_of; };
    if (std::none_of(families_.begin(), families_.end(), is_known))
      families_.push_back(std::move(cells));
    return true;
  }

  bool hosts_pass_on() const {
    if (network_.routes_pass_hosts()) return true;
    return std::any_of(links_.sides.begin(), links_.sides.end(), [&](const LinkEnds& sides) {
      return std::max(sides.from, sides.to) < network_.num_hosts();
    });
  }

  /// Hops count for the family that comes first: for factors where their cells give distances.
  void add_parts_of_routers(const VertexCells& routers, bool has_subtrees) {
    const WeightedNeighbours graph = joined_cells(links_, routers.cell_of, routers.count);
    if (!has_subtrees) {
      auto factors = isometric_cells(graph, max_steps_for_factors);
      if (factors.size() > max_factors) factors.clear();
      const bool tell_distances =
          std::all_of(factors.begin(), factors.end(),
                      [](const FactorCells& f) { return f.joined.has_value(); });
      if (!tell_distances) add(VertexCells(routers));
      for (const FactorCells& factor : factors) {
        VertexCells planes = cells_of("planes", routers, factor.cell_of);
        planes.joined = factor.joined.value_or(AxisKind::complete);
        add(std::move(planes));
      }
      add(VertexCells(routers));
    }
    for (const auto& cells : communities(graph)) add(cells_of("groups", routers, cells));
  }

  static VertexCells cells_of(const char* name, const VertexCells& routers,
                              const std::vector<int>& cell_of_router) {
    VertexCells cells{name, 0, {}, AxisKind::complete, 0};
    for (const int router : routers.cell_of) {
      const int cell = router < 0 ? -1 : cell_of_router[index(router)];
      cells.cell_of.push_back(cell);
      cells.count = std::max(cells.count, cell + 1);
    }
    return cells;
  }

  /// Whether there is more than single hosts.
  bool add_subtrees() {
    const auto level = levels_of(links_, network_.num_hosts());
    const int highest = *std::max_element(level.begin(), level.end());
    for (int l = 0; l <= highest; ++l) {
      const char* const name = l == 0 ? "hosts" : l == 1 ? "leaf switches" : "subtrees";
      const auto below = [&](int vertex) {
        return level[index(vertex)] >= 0 && level[index(vertex)] <= l;
      };
      if (!add(parts_of(name, links_, network_.num_hosts(), [&](std::size_t link) {
            return below(links_.sides[link].from) && below(links_.sides[link].to);
          })))
        return l > 1;
    }
    return highest > 0;
  }

  void add_bandwidths() {
    const std::set<double> distinct(links_.bandwidths.begin(), links_.bandwidths.end());
    const std::vector<double> sorted(distinct.begin(), distinct.end());
    const std::size_t step = (sorted.size() + max_bandwidths - 1) / max_bandwidths;
    for (std::size_t b = 0; b < sorted.size(); b += std::max<std::size_t>(1, step)) {
      const double least = sorted[b];
      VertexCells cells =
          parts_of("faster links", links_, network_.num_hosts(),
                   [&](std::size_t link) { return links_.bandwidths[link] > least; });
      if (cells.count < network_.num_hosts()) add(std::move(cells));
    }
  }

  void add_bisection() {
    if (links_.sides.size() > max_arcs_for_bisection) return;
    const auto graph = LinkGraph::of(network_);
    if (!graph) return;
    VertexCells cells{"bisection", 2, {}, AxisKind::complete, 0};
    for (const char side : smallest_cut_found(*graph, network_)) cells.cell_of.push_back(side);
    add(std::move(cells));
  }

  /// As many hops as leave every link at most one: first come, first served.
  void spread_hops() {
    std::vector<double> left(links_.sides.size(), 1);
    for (VertexCells& cells : families_) {
      cells.hops = 1;
      const auto boundaries = [&](std::size_t link) {
        const int from = cells.of(links_.sides[link].from), to = cells.of(links_.sides[link].to);
        if (cells.joined != AxisKind::complete) return from == to ? 0 : 1;
        return from == to ? 0 : (from >= 0 ? 1 : 0) + (to >= 0 ? 1 : 0);
      };
      for (std::size_t l = 0; l < left.size(); ++l)
        if (boundaries(l) > 0) cells.hops = std::min(cells.hops, left[l] / boundaries(l));
      for (std::size_t l = 0; l < left.size(); ++l) left[l] -= cells.hops * boundaries(l);
    }
  }

  const Network& network_;
  JoinedVertices links_;
  std::vector<VertexCells> families_;
};

}  // namespace

std::vector<VertexCells> find_cuts(const Network& network) {
  if (network.num_hosts() < 2) return {};
  auto links = JoinedVertices::of(network);
  if (!links) return {};
  return CutSearch(network, std::move(*links)).search();
}

}  // namespace vtopo::detail
