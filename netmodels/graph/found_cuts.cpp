#include "netmodels/graph/found_cuts.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "netmodels/graph/bisection_search.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Families of parts that different bandwidths hold together, at most.
constexpr std::size_t max_bandwidths = 8;
/// Links above which no bisection is searched: bounds are to cost less than mappers.
constexpr std::size_t max_arcs_for_bisection = 20'000;

/// Links that join two vertices.
struct JoiningLinks {
  std::vector<LinkEnds> sides;
  std::vector<double> bandwidths;
  int num_vertices = 0;
};

std::optional<JoiningLinks> joining_links(const Network& network) {
  JoiningLinks links;
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

/// Links from each vertex to the nearest host; -1 where none is reached.
std::vector<int> levels_of(const JoiningLinks& links, int num_hosts) {
  std::vector<std::vector<int>> next(index(links.num_vertices));
  for (const auto& [from, to] : links.sides) {
    next[index(from)].push_back(to);
    next[index(to)].push_back(from);
  }
  std::vector<int> level(index(links.num_vertices), -1), queue;
  for (int host = 0; host < num_hosts; ++host) {
    level[index(host)] = 0;
    queue.push_back(host);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const int neighbour : next[index(queue[i])]) {
      if (level[index(neighbour)] >= 0) continue;
      level[index(neighbour)] = level[index(queue[i])] + 1;
      queue.push_back(neighbour);
    }
  return level;
}

/// Parts that `holds(link)` keeps together; those without hosts are outside of all cells.
template <class Holds>
VertexCells parts_of(std::string name, const JoiningLinks& links, int num_hosts,
                     const Holds& holds) {
  boost::disjoint_sets_with_storage<> sets(index(links.num_vertices));
  for (std::size_t l = 0; l < links.sides.size(); ++l)
    if (holds(l)) sets.union_set(index(links.sides[l].from), index(links.sides[l].to));
  VertexCells cells{std::move(name), 0, {}, AxisKind::complete, 0};
  std::vector<int> cell_of_set(index(links.num_vertices), -1);
  for (int v = 0; v < links.num_vertices; ++v) {
    int& cell = cell_of_set[sets.find_set(index(v))];
    if (cell < 0 && v < num_hosts) cell = cells.count++;  // hosts come first
    cells.cell_of.push_back(cell);
  }
  return cells;
}

class CutSearch {
 public:
  CutSearch(const Network& network, JoiningLinks links)
      : network_(network), links_(std::move(links)) {}

  std::vector<VertexCells> search() {
    const bool has_subtrees = add_subtrees();
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
        return from == to ? 0 : (from >= 0 ? 1 : 0) + (to >= 0 ? 1 : 0);
      };
      for (std::size_t l = 0; l < left.size(); ++l)
        if (boundaries(l) > 0) cells.hops = std::min(cells.hops, left[l] / boundaries(l));
      for (std::size_t l = 0; l < left.size(); ++l) left[l] -= cells.hops * boundaries(l);
    }
  }

  const Network& network_;
  JoiningLinks links_;
  std::vector<VertexCells> families_;
};

}  // namespace

std::vector<VertexCells> find_cuts(const Network& network) {
  if (network.num_hosts() < 2) return {};
  auto links = joining_links(network);
  if (!links) return {};
  return CutSearch(network, std::move(*links)).search();
}

}  // namespace vtopo::detail
