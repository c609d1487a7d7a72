#include "sim/research/bench/instances/families.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t points_per_rank = 64;
constexpr std::int64_t most_ranks = 65536;
constexpr double bytes_per_edge = 8;

struct FiniteElements {
  int dimensions = 2;
  int ranks = 0;
  std::uint64_t seed = 1;
};

FiniteElements parse_finite_elements(std::string_view spec) {
  const auto words = split(spec.substr(std::min(spec.size(), finite_elements_prefix.size())), ':');
  if (words.size() == 3) {
    const auto dimensions = parse_integer(words[0]), ranks = parse_integer(words[1]),
               seed = parse_integer(words[2]);
    if (dimensions && (*dimensions == 2 || *dimensions == 3) && ranks && *ranks >= 1 &&
        *ranks <= most_ranks && seed && *seed >= 0)
      return {static_cast<int>(*dimensions), static_cast<int>(*ranks),
              static_cast<std::uint64_t>(*seed)};
  }
  throw UsageError(
      fmt::format("\"{}\" is not a finite-element mesh: accepted is fem-halo:2:RANKS:SEED or "
                  "fem-halo:3:RANKS:SEED with up to {} ranks",
                  spec, most_ranks));
}

/// A lattice of points that is bent: each cell is cut into simplices by its diagonals (Kuhn).
class PointLattice {
 public:
  explicit PointLattice(const FiniteElements& what) : dimensions_(what.dimensions) {
    const std::int64_t wanted = points_per_rank * what.ranks;
    while (power(side_) < wanted) ++side_;
    place_points(what.seed);
  }

  std::int64_t num_points() const { return power(side_); }

  double coordinate(std::int64_t point, std::size_t axis) const {
    return points_[static_cast<std::size_t>(point)][axis];
  }

  std::size_t num_axes() const { return static_cast<std::size_t>(dimensions_); }

  /// Calls `visit(a, b)` for each edge once.
  template <class Visitor>
  void for_each_edge(Visitor&& visit) const {
    for (std::int64_t point = 0; point < num_points(); ++point)
      for (int steps = 1; steps < 1 << dimensions_; ++steps)
        if (const std::int64_t other = neighbour(point, steps); other >= 0) visit(point, other);
  }

 private:
  std::int64_t power(std::int64_t side) const {
    return dimensions_ == 2 ? side * side : side * side * side;
  }

  /// One step up along the axes whose bits are set; -1 beyond the border.
  std::int64_t neighbour(std::int64_t point, int steps) const {
    std::int64_t rest = point, stride = 1, other = point;
    for (int axis = 0; axis < dimensions_; ++axis, rest /= side_, stride *= side_) {
      if ((steps >> axis & 1) == 0) continue;
      if (rest % side_ == side_ - 1) return -1;
      other += stride;
    }
    return other;
  }

  /// Dense around the middle of the first axis, near the wall of the second, even along the third.
  void place_points(std::uint64_t seed) {
    constexpr std::uint64_t grain = 1 << 20;
    Random random(seed);
    points_.resize(static_cast<std::size_t>(num_points()));
    for (std::int64_t p = 0; p < num_points(); ++p) {
      auto& point = points_[static_cast<std::size_t>(p)];
      std::int64_t rest = p;
      for (std::size_t axis = 0; axis < num_axes(); ++axis, rest /= side_) {
        const double shift = 0.5 * static_cast<double>(random.below(grain)) / double(grain);
        point[axis] = (static_cast<double>(rest % side_) + shift) / static_cast<double>(side_);
      }
      const double from_middle = 2 * point[0] - 1;
      point[0] = from_middle * std::abs(from_middle);
      point[1] *= point[1];
    }
  }

  int dimensions_;
  std::int64_t side_ = 1;
  std::vector<std::array<double, 3>> points_;
};

/// Recursive coordinate bisection: across the longest side, points in the proportion of the parts.
class CoordinateBisection {
 public:
  CoordinateBisection(const PointLattice& points, int parts)
      : lattice_(points),
        order_(static_cast<std::size_t>(points.num_points())),
        part_(order_.size()) {
    std::iota(order_.begin(), order_.end(), std::int64_t{0});
    cut(0, order_.size(), 0, parts);
  }

  /// Part of each point.
  const std::vector<int>& parts() const { return part_; }

 private:
  void cut(std::size_t begin, std::size_t end, int first, int count) {
    if (count == 1) {
      for (std::size_t i = begin; i < end; ++i) part_[static_cast<std::size_t>(order_[i])] = first;
      return;
    }
    const int left = count / 2;
    const std::size_t middle =
        begin + (end - begin) * static_cast<std::size_t>(left) / static_cast<std::size_t>(count);
    const std::size_t axis = longest_axis(begin, end);
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::int64_t a, std::int64_t b) {
      return std::pair(lattice_.coordinate(a, axis), a) <
             std::pair(lattice_.coordinate(b, axis), b);
    });
    cut(begin, middle, first, left);
    cut(middle, end, first + left, count - left);
  }

  std::size_t longest_axis(std::size_t begin, std::size_t end) const {
    std::size_t longest = 0;
    double most = -1;
    for (std::size_t axis = 0; axis < lattice_.num_axes(); ++axis) {
      double low = lattice_.coordinate(order_[begin], axis), high = low;
      for (std::size_t i = begin; i < end; ++i) {
        low = std::min(low, lattice_.coordinate(order_[i], axis));
        high = std::max(high, lattice_.coordinate(order_[i], axis));
      }
      if (high - low > most) most = high - low, longest = axis;
    }
    return longest;
  }

  const PointLattice& lattice_;
  std::vector<std::int64_t> order_;
  std::vector<int> part_;
};

Instance finite_element_halo(std::string name, std::string guest, std::string network,
                             Routing routing) {
  return {.name = std::move(name),
          .description = "finite elements: graded mesh, cut by coordinates, 8 bytes per cut edge",
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = routing};
}

}  // namespace

CommGraph finite_elements_guest(std::string_view spec) {
  const FiniteElements what = parse_finite_elements(spec);
  const PointLattice points(what);
  const CoordinateBisection bisection(points, what.ranks);
  const std::vector<int>& part = bisection.parts();
  std::vector<std::pair<int, int>> cut;
  points.for_each_edge([&](std::int64_t a, std::int64_t b) {
    const int from = part[static_cast<std::size_t>(a)], to = part[static_cast<std::size_t>(b)];
    if (from == to) return;
    cut.emplace_back(from, to);
    cut.emplace_back(to, from);
  });
  std::sort(cut.begin(), cut.end());
  std::vector<DirectedEdge> edges;
  for (const auto& [from, to] : cut) {
    if (edges.empty() || edges.back().source != Rank{from} || edges.back().destination != Rank{to})
      edges.push_back({Rank{from}, Rank{to}, {0}});
    edges.back().volume += Bytes{bytes_per_edge};
  }
  return CommGraph(what.ranks, edges);
}

namespace families {

/// Meshes as C. Walshaw's archive has them, made anew: what partitioners give to mappers.
std::vector<Instance> finite_elements() {
  return {
      finite_element_halo("fem2d-1024", "fem-halo:2:1024:1", "torus:16x8x8", Routing::automatic),
      finite_element_halo("fem3d-512", "fem-halo:3:512:1", "torus:8x8x8", Routing::automatic),
      finite_element_halo("fem3d-4096", "fem-halo:3:4096:1", "torus:16x16x16", Routing::automatic),
      finite_element_halo("fem3d-4096-tree2", "fem-halo:3:4096:1", "fat-tree:2;64,64;1,1;1,1",
                          Routing::simgrid)};
}

}  // namespace families

}  // namespace vtopo::detail
