#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/evaluation/bounds/guest_grid.hpp"
#include "sim/evaluation/bounds/whole_units.hpp"

namespace vtopo::detail {

namespace {

/// Of logarithms and powers, far above their rounding.
constexpr double margin = 1e-11;

/// Lines of one dimension that a set meets: between `least` and `most`, at the price of `weight`.
struct Lines {
  double weight;
  double least;
  double most;
};

/// Least sum of weight * lines over dimensions under the inequality of Loomis and Whitney: the
/// product of the lines is at least size^(d-1). Any multiplier gives a lower bound (Lagrange); the
/// best one is found by halving.
class LoomisWhitney {
 public:
  LoomisWhitney(std::vector<Lines> lines, double size)
      : lines_(std::move(lines)),
        needed_(static_cast<double>(lines_.size() - 1) * std::log(size)) {}

  double least() const {
    double low = 0, high = 0;
    for (const Lines& line : lines_) high = std::max(high, line.weight * line.most);
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (logarithms(middle) < needed_ ? low : high) = middle;
    }
    return std::max({value(0), value(low), value(high)});
  }

 private:
  static double best(const Lines& line, double multiplier) {
    return std::clamp(multiplier / line.weight, line.least, line.most);
  }

  double logarithms(double multiplier) const {
    double sum = 0;
    for (const Lines& line : lines_) sum += std::log(best(line, multiplier));
    return sum;
  }

  double value(double multiplier) const {
    double sum = multiplier * needed_;
    double terms = sum;
    for (const Lines& line : lines_) {
      const double count = best(line, multiplier);
      sum += line.weight * count - multiplier * std::log(count);
      terms += line.weight * count + multiplier * std::log(count);
    }
    return sum - margin * terms;
  }

  std::vector<Lines> lines_;
  double needed_;
};

Lines lines_of(const GuestGrid& grid, const GuestSide& side, int ranks, double weight) {
  const double most = static_cast<double>(grid.num_ranks()) / side.size;
  const int fewest = (ranks + side.size - 1) / side.size;
  return {weight, static_cast<double>(fewest), std::min(most, static_cast<double>(ranks))};
}

bool is_hypercube(const GuestGrid& grid) {
  return std::all_of(grid.sides.begin(), grid.sides.end(),
                     [](const GuestSide& side) { return side.size == 2; });
}

/// Edges within the first `count` vertices of a hypercube in binary order, Harper's best set.
std::int64_t max_hypercube_edges(std::int64_t count) {
  std::int64_t edges = 0;
  for (std::int64_t bit = 1; bit < count; bit *= 2) {
    // Numbers below `count` that have this bit: each has an edge down.
    const std::int64_t rest = count % (2 * bit);
    edges += count / (2 * bit) * bit + std::max<std::int64_t>(0, rest - bit);
  }
  return edges;
}

std::vector<double> volumes(const GuestGrid& grid) {
  std::vector<double> list;
  for (const GuestSide& side : grid.sides) list.push_back(side.volume);
  return list;
}

double least_volume(const GuestGrid& grid) {
  const auto list = volumes(grid);
  return *std::min_element(list.begin(), list.end());
}

/// The lines that a set meets and does not fill are cut, on rings twice: lines - full lines, and
/// ranks >= lines + full * (size - 1).
double by_lines(const GuestGrid& grid, int ranks) {
  std::vector<Lines> lines;
  double surplus = 0;
  for (const GuestSide& side : grid.sides) {
    const double ways = (side.wraps ? 2 : 1) * side.volume;
    const double others = side.size - 1;
    const bool may_fill = ranks >= side.size;
    if (may_fill) surplus += ways * ranks / others;
    lines.push_back(lines_of(grid, side, ranks, may_fill ? ways * side.size / others : ways));
  }
  return LoomisWhitney(std::move(lines), ranks).least() - surplus;
}

/// For equal sides and at most half of the ranks. For rings of odd size: as a grid without wraps.
double by_bollobas_leader(const GuestGrid& grid, double ranks) {
  const int size = grid.sides.front().size;
  bool rings = size % 2 == 0;
  for (const GuestSide& side : grid.sides) {
    if (side.size != size) return 0;
    rings = rings && side.wraps;
  }
  const auto dimensions = static_cast<double>(grid.sides.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t sides = 1; sides <= grid.sides.size(); ++sides) {
    const auto r = static_cast<double>(sides);
    least = std::min(least,
                     r * std::pow(ranks, 1 - 1 / r) * std::pow(double(size), dimensions / r - 1));
  }
  return (rings ? 2 : 1) * least * least_volume(grid) * (1 - margin);
}

double by_eigenvalue(const GuestGrid& grid, double ranks) {
  double least = std::numeric_limits<double>::infinity();
  for (const GuestSide& side : grid.sides) {
    const double angle = (side.wraps ? 2 : 1) * std::numbers::pi / side.size;
    least = std::min(least, side.volume * (2 - 2 * std::cos(angle)));
  }
  // 1 - cos loses digits on long sides: about 1e-16 of 2 in its square root's argument.
  const double certain = std::max(0.0, least - 1e-14 * least_volume(grid));
  return certain * ranks * (1 - ranks / grid.num_ranks()) * (1 - margin);
}

}  // namespace

double grid_volume(const GuestGrid& grid) {
  double sum = 0;
  for (const GuestSide& side : grid.sides) {
    const auto lines = grid.num_ranks() / side.size;
    sum += static_cast<double>(lines) * (side.wraps ? side.size : side.size - 1) * side.volume;
  }
  return sum;
}

/// A line that holds c ranks has at most c - 1 edges among them, or c if it is a full ring.
double max_inside_grid(const GuestGrid& grid, int ranks) {
  if (ranks < 2) return 0;
  if (is_hypercube(grid))
    return static_cast<double>(max_hypercube_edges(ranks)) * grid.sides.front().volume;
  std::vector<Lines> lines;
  double most = 0;
  for (const GuestSide& side : grid.sides) {
    const bool may_fill = side.wraps && ranks >= side.size;
    const double weight = may_fill ? side.volume * side.size / (side.size - 1) : side.volume;
    most += weight * ranks;
    lines.push_back(lines_of(grid, side, ranks, weight));
  }
  const double inside = most - LoomisWhitney(std::move(lines), ranks).least();
  return std::min(grid_volume(grid), round_down(inside, whole_unit(volumes(grid))));
}

double least_grid_cut(const GuestGrid& grid, int ranks) {
  const int fewer = std::min(ranks, grid.num_ranks() - ranks);
  if (fewer <= 0) return 0;
  const double apart = grid_volume(grid) - max_inside_grid(grid, fewer) -
                       max_inside_grid(grid, grid.num_ranks() - fewer);
  if (is_hypercube(grid)) return apart;
  const double least =
      std::max({0.0, apart, by_lines(grid, fewer), by_lines(grid, grid.num_ranks() - fewer),
                by_bollobas_leader(grid, fewer), by_eigenvalue(grid, fewer)});
  return round_up(least, whole_unit(volumes(grid)));
}

}  // namespace vtopo::detail
