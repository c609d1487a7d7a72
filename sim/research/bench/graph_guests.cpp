#include "sim/research/bench/graph_guests.hpp"

#include <algorithm>
#include <bit>
#include <boost/polygon/voronoi.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_graph_ranks = 1 << 20;

/// Undirected edges, the lower rank first; one that is there twice has twice the volume.
using GuestEdges = std::vector<std::pair<int, int>>;

struct GraphSpec {
  std::int64_t ranks = 0, degree = 0;
  std::uint64_t seed = 0;
};

std::int64_t number_in(std::string_view text, std::int64_t least, std::int64_t most,
                       std::string_view spec) {
  const auto value = parse_integer(text);
  if (value && *value >= least && *value <= most) return *value;
  throw UsageError(
      fmt::format("\"{}\" in \"{}\" is not a whole number in {}..{}", text, spec, least, most));
}

GraphSpec parse_graph(std::string_view spec, bool has_degree) {
  const auto words = split(spec, ':');
  if (words.size() != (has_degree ? 4U : 3U))
    throw UsageError(fmt::format("\"{}\": expected {}:RANKS{}:SEED", spec, words.front(),
                                 has_degree ? ":DEGREE" : ""));
  GraphSpec graph;
  graph.ranks = number_in(words[1], 4, max_graph_ranks, spec);
  if (has_degree)
    graph.degree = number_in(words[2], 2, std::min<std::int64_t>(64, graph.ranks - 1), spec);
  graph.seed = static_cast<std::uint64_t>(number_in(words.back(), 0, max_id, spec));
  return graph;
}

std::pair<int, int> ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

/// A random pairing of stubs, of which each rank has one per partner. A pair that is a loop or that
/// stands there twice exchanges ends with random pairs until both are new edges.
class StubPairs {
 public:
  explicit StubPairs(const GraphSpec& graph) : random_(graph.seed) {
    for (int rank = 0; rank < graph.ranks; ++rank)
      stubs_.insert(stubs_.end(), static_cast<std::size_t>(graph.degree), rank);
    if (stubs_.size() % 2 == 1) stubs_.pop_back();
    shuffle(std::span(stubs_), random_);
    for (std::size_t s = 0; s < stubs_.size(); s += 2) edges_.insert(edge(s));
  }

  /// Whether that made a graph; near to a complete one, exchanges may find no room.
  bool repair() {
    std::size_t tries = 100 * stubs_.size();
    for (bool repaired = true; repaired;) {
      repaired = false;
      std::set<std::pair<int, int>> seen;
      for (std::size_t s = 0; s < stubs_.size(); s += 2) {
        if (is_loop(s) || seen.contains(edge(s)))
          for (; is_wrong(s); repaired = true) {
            if (tries-- == 0) return false;
            exchange(s, random_.below(stubs_.size()));
          }
        seen.insert(edge(s));
      }
    }
    return true;
  }

  GuestEdges edges() const { return {edges_.begin(), edges_.end()}; }

 private:
  std::pair<int, int> edge(std::size_t stub) const {
    return ordered(stubs_[stub], stubs_[stub ^ 1]);
  }

  bool is_loop(std::size_t stub) const { return stubs_[stub] == stubs_[stub ^ 1]; }

  bool is_wrong(std::size_t stub) const { return is_loop(stub) || edges_.count(edge(stub)) > 1; }

  void exchange(std::size_t s, std::size_t t) {
    if ((s | 1) == (t | 1)) return;
    const auto move_ends = [&](std::size_t from, std::size_t to) {
      std::swap(stubs_[from], stubs_[to]);
      edges_.insert(edge(from));
      edges_.insert(edge(to));
    };
    const auto take_out = [&](std::size_t stub) { edges_.erase(edges_.find(edge(stub))); };
    take_out(s), take_out(t);
    move_ends(s, t);
    if (!is_wrong(s) && !is_wrong(t)) return;
    take_out(s), take_out(t);
    move_ends(s, t);
  }

  Random random_;
  std::vector<int> stubs_;  ///< those of an even and the next odd place are a pair
  std::multiset<std::pair<int, int>> edges_;
};

GuestEdges regular_graph(const GraphSpec& graph, std::string_view spec) {
  StubPairs pairs(graph);
  if (!pairs.repair())
    throw UsageError(
        fmt::format("\"{}\": no random graph of degree {} was found; choose a smaller degree", spec,
                    graph.degree));
  return pairs.edges();
}

GuestEdges rmat_graph(const GraphSpec& graph, std::string_view spec) {
  if (!std::has_single_bit(static_cast<std::uint64_t>(graph.ranks)))
    throw UsageError(fmt::format("\"{}\": expected a power of two of ranks", spec));
  Random random(graph.seed);
  GuestEdges edges;
  while (static_cast<std::int64_t>(edges.size()) < graph.ranks * graph.degree / 2) {
    int a = 0, b = 0;
    for (std::int64_t bit = 1; bit < graph.ranks; bit *= 2) {
      const auto draw = random.below(100);
      a = 2 * a + (draw >= 76 ? 1 : 0);
      b = 2 * b + ((draw >= 57 && draw < 76) || draw >= 95 ? 1 : 0);
    }
    if (a != b) edges.push_back(ordered(a, b));
  }
  return edges;
}

/// Each new rank chooses ends of random edges.
GuestEdges preferential_graph(const GraphSpec& graph) {
  Random random(graph.seed);
  const int each = narrow<int>(std::max<std::int64_t>(1, graph.degree / 2));
  GuestEdges edges;
  std::vector<int> ends(1, 0);
  for (int rank = 1; rank < graph.ranks; ++rank) {
    std::set<int> partners;
    while (static_cast<int>(partners.size()) < std::min(each, rank))
      partners.insert(ends[random.below(ends.size())] % rank);
    for (const int partner : partners) {
      edges.push_back(ordered(rank, partner));
      ends.insert(ends.end(), {rank, partner});
    }
  }
  return edges;
}

/// Dual of the Voronoi diagram (Boost.Polygon, exact for whole coordinates).
GuestEdges delaunay_graph(const GraphSpec& graph) {
  constexpr std::uint64_t side = 1 << 24;
  Random random(graph.seed);
  std::set<std::pair<int, int>> different;
  while (static_cast<std::int64_t>(different.size()) < graph.ranks)
    different.emplace(static_cast<int>(random.below(side)), static_cast<int>(random.below(side)));
  std::vector<boost::polygon::point_data<int>> points;
  points.reserve(different.size());
  for (const auto& [x, y] : different) points.emplace_back(x, y);
  shuffle(std::span(points), random);
  boost::polygon::voronoi_diagram<double> diagram;
  boost::polygon::construct_voronoi(points.begin(), points.end(), &diagram);
  GuestEdges edges;
  for (const auto& edge : diagram.edges()) {
    const int a = narrow<int>(edge.cell()->source_index());
    const int b = narrow<int>(edge.twin()->cell()->source_index());
    if (edge.is_primary() && a < b) edges.emplace_back(a, b);
  }
  return edges;
}

/// Cubes cut into six tetrahedra each (Freudenthal 1942): vertices are joined along axes and the
/// diagonals of faces and cubes that rise in all of their dimensions.
GuestEdges fem_graph(const GraphSpec& graph) {
  Random random(graph.seed);
  int side = 2;
  while (std::int64_t{side} * side * side < 2 * graph.ranks) ++side;
  const auto at = [&](int x, int y, int z) {
    return (std::size_t(z) * std::size_t(side) + std::size_t(y)) * std::size_t(side) +
           std::size_t(x);
  };
  // The nearest to the middle; noise makes the surface rough.
  std::vector<std::pair<std::int64_t, std::size_t>> vertices;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        std::int64_t distance = 0;
        for (const int c : {x, y, z})
          distance += std::int64_t{2 * c - side + 1} * (2 * c - side + 1);
        distance += static_cast<std::int64_t>(random.below(4 * static_cast<std::uint64_t>(side)));
        vertices.emplace_back(distance, at(x, y, z));
      }
  std::sort(vertices.begin(), vertices.end());
  std::vector<int> names(static_cast<std::size_t>(graph.ranks));
  std::iota(names.begin(), names.end(), 0);
  shuffle(std::span(names), random);
  std::vector<int> name_of(vertices.size(), -1);
  for (std::size_t v = 0; v < names.size(); ++v) name_of[vertices[v].second] = names[v];
  GuestEdges edges;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (int step = 1; step < 8; ++step) {
          const int ox = x + (step & 1), oy = y + (step >> 1 & 1), oz = z + (step >> 2);
          if (ox == side || oy == side || oz == side) continue;
          const int a = name_of[at(x, y, z)], b = name_of[at(ox, oy, oz)];
          if (a >= 0 && b >= 0) edges.push_back(ordered(a, b));
        }
  return edges;
}

CommGraph both_ways(std::int64_t ranks, GuestEdges edges) {
  std::sort(edges.begin(), edges.end());
  std::vector<DirectedEdge> directed;
  for (std::size_t first = 0; first < edges.size();) {
    std::size_t last = first;
    while (last < edges.size() && edges[last] == edges[first]) ++last;
    const Bytes volume{static_cast<double>(last - first)};
    const Rank a{edges[first].first}, b{edges[first].second};
    directed.push_back({a, b, volume});
    directed.push_back({b, a, volume});
    first = last;
  }
  return CommGraph(narrow<int>(ranks), directed);
}

}  // namespace

std::optional<CommGraph> make_graph_guest(std::string_view spec) {
  const std::string_view kind = split(spec, ':').front();
  const bool has_degree = kind == "regular" || kind == "rmat" || kind == "power";
  if (!has_degree && kind != "delaunay" && kind != "fem") return std::nullopt;
  const GraphSpec graph = parse_graph(spec, has_degree);
  return both_ways(graph.ranks, kind == "regular"    ? regular_graph(graph, spec)
                                : kind == "rmat"     ? rmat_graph(graph, spec)
                                : kind == "power"    ? preferential_graph(graph)
                                : kind == "delaunay" ? delaunay_graph(graph)
                                                     : fem_graph(graph));
}

}  // namespace vtopo::detail
