#include "topology/guests/guest_topology.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view prefix = "rgg:";
constexpr std::int64_t max_ranks = 1 << 24;
constexpr std::int64_t max_partners = 1000;
constexpr std::int64_t side = std::int64_t{1} << 30;  ///< of the square
constexpr std::uint64_t largest_volume = 10;
constexpr double pi = 3.14159265358979323846;

struct Point {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

std::int64_t bounded(std::string_view text, std::string_view what, std::int64_t least,
                     std::int64_t most, std::string_view spec) {
  const auto value = parse_integer(text);
  if (value && *value >= least && *value <= most) return *value;
  throw UsageError(fmt::format("{} \"{}\" in \"{}\" is not a whole number in {}..{}", what, text,
                               spec, least, most));
}

/// Radius at which a point in the middle has `degree` others around it on average.
std::int64_t radius(const RandomGeometric& graph) {
  const double share = static_cast<double>(graph.degree) / (pi * graph.num_ranks);
  return std::clamp<std::int64_t>(std::llround(std::sqrt(share) * static_cast<double>(side)), 1,
                                  side);
}

/// Points in square cells at least as wide as the radius: partners are in the cell or beside it.
class Cells {
 public:
  Cells(const std::vector<Point>& points, std::int64_t radius)
      : per_side_(std::clamp<std::int64_t>(side / radius, 1, 4096)), width_(side / per_side_ + 1) {
    cells_.resize(index(per_side_ * per_side_));
    for (std::size_t p = 0; p < points.size(); ++p)
      cells_[cell(points[p].x / width_, points[p].y / width_)].push_back(static_cast<int>(p));
  }

  template <class Visitor>
  void visit_around(const Point& point, Visitor&& visit) const {
    const std::int64_t cx = point.x / width_, cy = point.y / width_;
    for (std::int64_t x = std::max<std::int64_t>(cx - 1, 0); x < std::min(cx + 2, per_side_); ++x)
      for (std::int64_t y = std::max<std::int64_t>(cy - 1, 0); y < std::min(cy + 2, per_side_); ++y)
        for (const int p : cells_[cell(x, y)]) visit(p);
  }

 private:
  std::size_t cell(std::int64_t x, std::int64_t y) const { return index(y * per_side_ + x); }

  std::int64_t per_side_;
  std::int64_t width_;
  std::vector<std::vector<int>> cells_;
};

std::vector<Point> drawn_points(int count, Random& random) {
  std::vector<Point> points(index(count));
  for (Point& point : points) {
    point.x = static_cast<std::int64_t>(random.below(side));
    point.y = static_cast<std::int64_t>(random.below(side));
  }
  return points;
}

bool within(const Point& a, const Point& b, std::int64_t radius) {
  const std::int64_t dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy <= radius * radius;
}

}  // namespace

std::optional<RandomGeometric> parse_random_geometric(std::string_view spec) {
  if (!spec.starts_with(prefix)) return std::nullopt;
  const auto parts = split(spec.substr(prefix.size()), ':');
  if (parts.size() != 3)
    throw UsageError(
        fmt::format("\"{}\" is not a random geometric graph: accepted is rgg:RANKS:DEGREE:SEED, "
                    "such as rgg:4096:8:1",
                    spec));
  RandomGeometric graph;
  graph.num_ranks = static_cast<int>(bounded(parts[0], "number of ranks", 1, max_ranks, spec));
  graph.degree = static_cast<int>(bounded(parts[1], "degree", 1, max_partners, spec));
  graph.seed =
      static_cast<std::uint64_t>(bounded(parts[2], "seed", 0, std::int64_t{1} << 62, spec));
  return graph;
}

double max_edges(const RandomGeometric& graph) {
  return static_cast<double>(graph.num_ranks) *
         static_cast<double>(std::min(graph.degree, graph.num_ranks));
}

CommGraph make_comm_graph(const RandomGeometric& graph, Bytes unit) {
  Random random(graph.seed);
  const std::vector<Point> points = drawn_points(graph.num_ranks, random);
  const std::int64_t reach = radius(graph);
  const Cells cells(points, reach);
  std::vector<DirectedEdge> edges;
  std::vector<int> later;  // partners with a larger number
  for (int p = 0; p < graph.num_ranks; ++p) {
    const Point& point = points[index(p)];
    later.clear();
    cells.visit_around(point, [&](int other) {
      if (other > p && within(point, points[index(other)], reach)) later.push_back(other);
    });
    std::sort(later.begin(), later.end());
    for (const int other : later) {
      const Bytes volume = unit * static_cast<double>(1 + random.below(largest_volume));
      edges.push_back({Rank{p}, Rank{other}, volume});
      edges.push_back({Rank{other}, Rank{p}, volume});
    }
  }
  // Rows come out ascending: smaller partners were met first, in order.
  return CommGraph(graph.num_ranks, edges);
}

namespace {

constexpr std::string_view shuffle_prefix = "shuffle:";

/// `SEED` and `SPEC` of `shuffle:SEED:SPEC`.
std::pair<std::uint64_t, std::string_view> shuffle_parts(std::string_view spec) {
  const std::string_view rest = spec.substr(shuffle_prefix.size());
  const std::size_t colon = rest.find(':');
  const auto seed = parse_integer(rest.substr(0, colon));
  if (colon == std::string_view::npos || !seed || *seed < 0)
    throw UsageError(
        fmt::format("\"{}\" is not a shuffled topology: accepted is shuffle:SEED:SPEC, such as "
                    "shuffle:1:cart:8x8",
                    spec));
  const std::string_view inner = rest.substr(colon + 1);
  if (inner.starts_with(shuffle_prefix))
    throw UsageError(fmt::format("\"{}\" is shuffled twice: accepted is shuffle once", spec));
  return {static_cast<std::uint64_t>(*seed), inner};
}

Bytes only_volume(std::span<const Bytes> volume) {
  if (volume.size() == 1) return volume[0];
  throw UsageError(fmt::format(
      "{} volumes for a virtual topology without dimensions: accepted is 1", volume.size()));
}

CommGraph in_order(const GuestTopology& topology, std::span<const Bytes> volume) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind))
    return make_comm_graph(*stencil, volume);
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind))
    return make_comm_graph(*random, only_volume(volume));
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return make_comm_graph(*program, volume);
  return make_comm_graph(std::get<VirtualTopology>(topology.kind), volume);
}

}  // namespace

GuestTopology parse_guest_topology(std::string_view spec) {
  if (spec.starts_with(shuffle_prefix)) {
    const auto [seed, inner] = shuffle_parts(spec);
    GuestTopology topology = parse_guest_topology(inner);
    topology.shuffle_seed = seed;
    return topology;
  }
  if (auto stencil = parse_stencil(spec)) return {*std::move(stencil), std::nullopt};
  if (const auto random = parse_random_geometric(spec)) return {*random, std::nullopt};
  if (auto program = parse_parallel_program(spec)) return {*std::move(program), std::nullopt};
  return {parse_virtual_topology(spec), std::nullopt};
}

int num_ranks(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return stencil->grid.num_ranks();
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind)) return random->num_ranks;
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return program->grid.num_ranks();
  return num_ranks(std::get<VirtualTopology>(topology.kind));
}

const Cartesian* grid_of(const GuestTopology& topology) {
  return topology.shuffle_seed ? nullptr : grid_inside(topology);
}

const Cartesian* grid_inside(const GuestTopology& topology) {
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind)) return &program->grid;
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return &stencil->grid;
  const auto* any = std::get_if<VirtualTopology>(&topology.kind);
  return any == nullptr ? nullptr : std::get_if<Cartesian>(any);
}

double max_edges(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return max_edges(*stencil);
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind)) return max_edges(*random);
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return max_edges(*program);
  const auto* grid = std::get_if<Cartesian>(&std::get<VirtualTopology>(topology.kind));
  if (grid == nullptr) return 0;
  return 2.0 * grid->num_ranks() * static_cast<double>(grid->dimensions().size());
}

CommGraph make_comm_graph(const GuestTopology& topology, std::span<const Bytes> volume) {
  CommGraph graph = in_order(topology, volume);
  return topology.shuffle_seed ? shuffled(graph, *topology.shuffle_seed) : graph;
}

CommGraph shuffled(const CommGraph& graph, std::uint64_t seed) {
  const auto ranks = index(graph.num_ranks());
  std::vector<int> name(ranks);
  std::iota(name.begin(), name.end(), 0);
  Random random(seed);
  shuffle(std::span(name), random);
  std::vector<int> rank_named(ranks);
  for (std::size_t r = 0; r < ranks; ++r) rank_named[index(name[r])] = static_cast<int>(r);
  CompressedRows<CommEdge> rows;
  rows.reserve(ranks, graph.num_edges());
  for (const int rank : rank_named) {
    for (CommEdge edge : graph.out_edges(Rank{rank})) {
      edge.destination = Rank{name[index(edge.destination)]};
      rows.push(edge);
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

DistGraph make_dist_graph(const GuestTopology& topology) {
  if (max_edges(topology) > max_listed_edges)
    throw UsageError(fmt::format("{} ranks are too many for a graph: at most {} edges are listed",
                                 num_ranks(topology), static_cast<std::int64_t>(max_listed_edges)));
  const Bytes one{1};
  const CommGraph graph = make_comm_graph(topology, {&one, 1});
  std::vector<WeightedEdge> edges;
  edges.reserve(graph.num_edges());
  graph.for_each_edge([&](Rank from, const CommEdge& edge) {
    edges.push_back({from, edge.destination, edge.volume.value});
  });
  return DistGraph(graph.num_ranks(), edges, Weighting::weighted);
}

}  // namespace vtopo
