#include "sim/bounds/guest_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "sim/evaluation/guest_lattice.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-9;  ///< relative
constexpr double noise = 1e-6;     ///< in units: what is left of sums that cancel
constexpr double largest_whole = 9007199254740992.0;  ///< 2^53: from here on doubles skip numbers

}  // namespace

double whole_unit(std::span<const double> volumes) {
  std::int64_t unit = 0;
  for (const double volume : volumes) {
    if (!(volume < largest_whole) || volume != std::floor(volume)) return 0;
    unit = std::gcd(unit, static_cast<std::int64_t>(volume));
  }
  return static_cast<double>(unit);
}

double round_up(double value, double unit) {
  if (!(unit > 0) || !(value > 0) || value / unit * rounding >= 0.5) return value;
  return std::max(0.0, std::ceil(value / unit * (1 - rounding) - noise)) * unit;
}

double round_down(double value, double unit) {
  if (!(unit > 0) || !(value > 0) || value / unit * rounding >= 0.5) return value;
  return std::floor(value / unit * (1 + rounding) + noise) * unit;
}

namespace {

/// The guest with its ranks in the order of the cells of a supposed grid.
class GuestCells {
 public:
  GuestCells(const Partners& partners, std::vector<int> rank_at)
      : partners_(partners), rank_at_(std::move(rank_at)) {}

  /// The side of a size whose neighbours are `stride` cells apart, if the guest has its edges.
  std::optional<GuestSide> side_of(int stride, int size) const {
    GuestSide side{size, size > 2, std::numeric_limits<double>::infinity()};
    double around = side.volume;
    for (int cell = 0; cell < partners_.num_ranks(); ++cell) {
      const int coordinate = cell / stride % size;
      if (coordinate + 1 < size) {
        side.volume = std::min(side.volume, volume(cell, cell + stride));
        if (side.volume == 0) return std::nullopt;
      } else if (around > 0 && side.wraps) {
        around = std::min(around, volume(cell, cell - coordinate * stride));
      }
    }
    side.wraps = side.wraps && around > 0;
    if (side.wraps) side.volume = std::min(side.volume, around);
    return side;
  }

 private:
  double volume(int cell, int other_cell) const {
    const auto row = partners_.of(Rank{rank_at_[index(cell)]});
    const Rank other{rank_at_[index(other_cell)]};
    const auto at =
        std::lower_bound(row.begin(), row.end(), other,
                         [](const Partner& partner, Rank value) { return partner.rank < value; });
    return at != row.end() && at->rank == other ? at->both().value : 0;
  }

  const Partners& partners_;
  std::vector<int> rank_at_;
};

/// Finds sides in the numbering one after the other, the fastest first; the first chain that holds
/// wins.
class GridSearch {
 public:
  explicit GridSearch(const Partners& partners)
      : partners_(partners), cells_(partners, in_order(partners.num_ranks())) {}

  std::optional<GuestGrid> find() {
    if (partners_.num_ranks() < 2 || !extend(1)) return std::nullopt;
    return grid_;
  }

 private:
  static std::vector<int> in_order(int ranks) {
    std::vector<int> numbers(index(ranks));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  /// Sizes that may follow: up to the next stride that rank 0 knows, or to the end.
  std::vector<int> next_sizes(int stride) const {
    std::vector<int> sizes;
    const int all = partners_.num_ranks();
    for (const Partner& partner : partners_.of(Rank{0})) {
      const int next = number(partner.rank);
      if (next > stride && next % stride == 0 && all % next == 0) sizes.push_back(next / stride);
    }
    if (all > stride) sizes.push_back(all / stride);
    if (sizes.size() > max_sizes) sizes.erase(sizes.begin() + max_sizes, sizes.end() - 1);
    return sizes;
  }

  bool extend(int stride) {
    if (stride == partners_.num_ranks()) return true;
    for (const int size : next_sizes(stride)) {
      const auto side = cells_.side_of(stride, size);
      if (!side) continue;
      grid_.sides.push_back(*side);
      if (extend(stride * size)) return true;
      grid_.sides.pop_back();
    }
    return false;
  }

  static constexpr std::size_t max_sizes = 64;
  const Partners& partners_;
  GuestCells cells_;
  GuestGrid grid_;
};

/// The grid that the edges form, whatever the order of the ranks.
std::optional<GuestGrid> grid_in_any_order(const Partners& partners) {
  const auto lattice = find_lattice(partners);
  if (!lattice) return std::nullopt;
  std::vector<int> rank_at(lattice->cell_of.size());
  for (std::size_t r = 0; r < rank_at.size(); ++r)
    rank_at[index(lattice->cell_of[r])] = static_cast<int>(r);
  const GuestCells cells(partners, std::move(rank_at));
  const auto dimensions = lattice->grid.dimensions();
  GuestGrid grid;
  int stride = 1;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    if (dimension->size == 1) continue;
    const auto side = cells.side_of(stride, dimension->size);
    if (!side) return std::nullopt;
    grid.sides.push_back(*side);
    stride *= dimension->size;
  }
  return grid;
}

/// Harper's theorem is for cubes of one volume.
void make_even(GuestGrid& grid) {
  double least = std::numeric_limits<double>::infinity();
  for (const GuestSide& side : grid.sides) {
    if (side.size != 2) return;
    least = std::min(least, side.volume);
  }
  for (GuestSide& side : grid.sides) side.volume = least;
}

}  // namespace

int GuestGrid::num_ranks() const {
  int ranks = 1;
  for (const GuestSide& side : sides) ranks *= side.size;
  return ranks;
}

std::optional<GuestGrid> find_guest_grid(const Partners& partners) {
  auto grid = GridSearch(partners).find();
  if (!grid) grid = grid_in_any_order(partners);
  if (grid) make_even(*grid);
  return grid;
}

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

namespace {

/// Of two open dimensions, exactly: moved down in each column and then in each row, no set is cut
/// by more edges, and leaves a corner of the grid whose rows and columns are cut once each unless
/// they are full or empty (compression: Ahlswede and Bezrukov 1995).
double by_corners(const GuestGrid& grid, int ranks) {
  constexpr int max_flat_sizes = 128;  // added up: these are few thousand corners
  const bool is_flat = grid.sides.size() == 2 && !grid.sides[0].wraps && !grid.sides[1].wraps;
  if (!is_flat || grid.sides[0].size + grid.sides[1].size > max_flat_sizes) return 0;
  const int width = grid.sides[0].size, height = grid.sides[1].size;
  double least = std::numeric_limits<double>::infinity();
  // Columns and rows that are not empty, and those of them that are full.
  for (int columns = 1; columns <= width; ++columns)
    for (int rows = 1; rows <= height; ++rows)
      for (int full = rows == height ? 1 : 0; full <= (rows == height ? columns : 0); ++full)
        for (int full_rows = columns == width ? 1 : 0; full_rows <= (columns == width ? rows : 0);
             ++full_rows) {
          const int open = columns - full, low = std::max(full_rows, 1);
          const int top = std::min(rows, height - 1);
          const int fewest = full * height + open * low + (full == 0 ? rows - low : 0);
          const int most =
              full * height + (columns == width ? (open - 1) * top + full_rows : open * top);
          if (full < width && fewest <= ranks && ranks <= most)
            least = std::min(
                least, grid.sides[1].volume * open + grid.sides[0].volume * (rows - full_rows));
        }
  return least;
}

}  // namespace

double least_grid_cut(const GuestGrid& grid, int ranks) {
  const int fewer = std::min(ranks, grid.num_ranks() - ranks);
  if (fewer <= 0) return 0;
  const double apart = grid_volume(grid) - max_inside_grid(grid, fewer) -
                       max_inside_grid(grid, grid.num_ranks() - fewer);
  if (is_hypercube(grid)) return apart;
  const double least = std::max(
      {0.0, apart, by_lines(grid, fewer), by_lines(grid, grid.num_ranks() - fewer),
       by_bollobas_leader(grid, fewer), by_eigenvalue(grid, fewer), by_corners(grid, fewer)});
  return round_up(least, whole_unit(volumes(grid)));
}

}  // namespace vtopo::detail
