#include "cli/check/least_volumes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "cli/check/distances.hpp"

namespace vtopo::detail::checking {

LeastVolumes::LeastVolumes(const Volumes& both, std::vector<Side> sides)
    : both_(both), sides_(std::move(sides)) {
  for (const auto& partners : both) {
    Numbers volumes;
    for (const auto& [other, bytes] : partners) volumes.push_back(bytes);
    std::sort(volumes.begin(), volumes.end());
    volumes.insert(volumes.begin(), 0.0);
    std::partial_sum(volumes.begin(), volumes.end(), volumes.begin());
    beyond_.emplace_back(volumes.rbegin(), volumes.rend());
    most_partners_ = std::max(most_partners_, partners.size());
  }
}

std::optional<std::pair<std::size_t, std::size_t>> LeastVolumes::missing_edge(
    const std::vector<std::size_t>& cell_of) const {
  const std::size_t n = both_.size();
  std::vector<std::size_t> rank_at(n, n);
  for (std::size_t r = 0; r < n; ++r) rank_at[cell_of[r]] = r;
  std::size_t stride = 1;
  for (const Side& side : sides_) {
    for (std::size_t cell = 0; cell < n; ++cell) {
      const std::size_t at = cell / stride % side.size;
      if (at + 1 == side.size && !side.wraps) continue;
      const std::size_t other = at + 1 < side.size ? cell + stride : cell - at * stride;
      if (rank_at[cell] == n) return std::pair(cell, cell);
      const auto found = both_[rank_at[cell]].find(rank_at[other]);
      if (found == both_[rank_at[cell]].end() || found->second < side.volume)
        return std::pair(cell, other);
    }
    stride *= side.size;
  }
  return stride == n ? std::nullopt : std::optional(std::pair(stride, n));
}

double LeastVolumes::beyond(std::size_t k, std::size_t kept) const {
  if (kept >= most_partners_) return 0;
  Numbers rest;
  for (const Numbers& of_rank : beyond_) rest.push_back(kept < of_rank.size() ? of_rank[kept] : 0);
  std::sort(rest.begin(), rest.end());
  return std::accumulate(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
}

double LeastVolumes::certain(std::size_t k) const {
  const std::size_t others = both_.size() - k;
  if (k == 0 || others == 0) return 0;
  return std::max({beyond(k, k - 1), beyond(others, others - 1), grid_cut(std::min(k, others))});
}

bool LeastVolumes::has_connectivity(double value) const {
  const std::size_t n = both_.size();
  if (n > 1024) return false;
  double shift = 0;  // of the constant vector, which every Laplacian maps to 0
  for (const Numbers& of_rank : beyond_) shift = std::max(shift, of_rank.front());
  std::vector<Numbers> m(n, Numbers(n, (value + shift) / static_cast<double>(n)));
  for (std::size_t r = 0; r < n; ++r) {
    m[r][r] += beyond_[r].front() - value;
    for (const auto& [other, bytes] : both_[r]) m[r][other] -= bytes;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = m[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= m[i][k] * m[j][k];
      if (i == j && !(rest > 0)) return false;
      m[i][j] = i == j ? std::sqrt(rest) : rest / m[j][j];
    }
  return true;
}

double LeastVolumes::between_sets(std::size_t first, std::size_t most) const {
  if (sides_.empty()) return 0;
  double most_inside = 0;
  for (std::size_t k = first; k <= most; ++k)
    most_inside = std::max(most_inside, inside(k) / static_cast<double>(k));
  return 2 * (all() - most_inside * static_cast<double>(both_.size()));
}

/// Volumes of the grid are multiples of their greatest common divisor.
double LeastVolumes::whole_units(double value, double direction) const {
  std::int64_t unit = 0;
  for (const Side& side : sides_) {
    if (side.volume != std::floor(side.volume) || side.volume >= 0x1p53) return value;
    unit = std::gcd(unit, static_cast<std::int64_t>(side.volume));
  }
  const double units = value / static_cast<double>(unit);
  if (!(value > 0) || units * rounding >= 0.5) return value;
  return direction * std::floor(direction * units + units * rounding + 1e-6) *
         static_cast<double>(unit);
}

double LeastVolumes::all() const {
  double sum = 0;
  for (const Side& side : sides_) {
    const std::size_t lines = both_.size() / side.size;
    sum += static_cast<double>(lines * (side.size - (side.wraps ? 0 : 1))) * side.volume;
  }
  return sum;
}

/// Least weighted number of lines that k ranks meet: the product of the lines of all dimensions is
/// at least k^(d-1). Lagrange's multiplier by halving; any gives a lower bound. Then what is inside
/// at most, or what is cut at least: a line that is met and not full is cut, on a ring twice.
double LeastVolumes::lines(std::size_t k, bool inside) const {
  const auto ranks = static_cast<double>(k);
  double high = 0, surplus = 0;
  std::vector<std::array<double, 3>> dimensions;  // weight, fewest and most lines
  for (const Side& side : sides_) {
    const auto size = static_cast<double>(side.size);
    const double weight = (side.wraps && !inside ? 2 : 1) * side.volume;
    const bool may_fill = k >= side.size && (side.wraps || !inside);
    const double price = may_fill ? weight * size / (size - 1) : weight;
    surplus += inside ? price * ranks : may_fill ? weight * ranks / (size - 1) : 0;
    dimensions.push_back({price, std::ceil(ranks / size),
                          std::min(static_cast<double>(both_.size()) / size, ranks)});
    high = std::max(high, price * dimensions.back()[2]);
  }
  const double needed = static_cast<double>(sides_.size() - 1) * std::log(ranks);
  const auto count = [](const auto& d, double multiplier) {
    return std::clamp(multiplier / d[0], d[1], d[2]);
  };
  const auto value = [&](double multiplier) {
    double sum = multiplier * needed, terms = sum;
    for (const auto& d : dimensions) {
      const double lines = count(d, multiplier), logarithm = multiplier * std::log(lines);
      sum += d[0] * lines - logarithm, terms += d[0] * lines + logarithm;
    }
    return sum - 1e-11 * terms;
  };
  double low = 0;
  for (int i = 0; i < 50; ++i) {
    double logarithms = 0;
    for (const auto& d : dimensions) logarithms += std::log(count(d, (low + high) / 2));
    (logarithms < needed ? low : high) = (low + high) / 2;
  }
  const double least = std::max({value(0), value(low), value(high)});
  return inside ? surplus - least : least - surplus;
}

double LeastVolumes::inside(std::size_t k) const {
  if (k < 2) return 0;
  if (std::all_of(sides_.begin(), sides_.end(), [](const Side& s) { return s.size == 2; })) {
    std::size_t edges = 0;  // of the first k vertices in binary order: those with an edge down
    for (std::size_t vertex = 1; vertex < k; ++vertex)
      edges += static_cast<std::size_t>(std::popcount(vertex));
    return static_cast<double>(edges) * sides_.front().volume;
  }
  return std::min(all(), whole_units(lines(k, true), 1));
}

/// @param k at most half of the ranks.
double LeastVolumes::grid_cut(std::size_t k) const {
  if (sides_.empty()) return 0;
  const std::size_t n = both_.size();
  const double apart = all() - inside(k) - inside(n - k);
  const Side& first = sides_.front();
  bool are_equal = true, are_rings = first.size % 2 == 0, is_cube = true;
  double least_volume = infinity, eigenvalue = infinity, equal_sides = infinity;
  for (const Side& side : sides_) {
    are_equal = are_equal && side.size == first.size, is_cube = is_cube && side.size == 2;
    are_rings = are_rings && side.wraps;
    least_volume = std::min(least_volume, side.volume);
    const double angle = (side.wraps ? 2 : 1) * std::numbers::pi / static_cast<double>(side.size);
    eigenvalue = std::min(eigenvalue, side.volume * (2 - 2 * std::cos(angle)));
  }
  if (is_cube) return apart;
  const auto ranks = static_cast<double>(k), size = static_cast<double>(first.size);
  const auto dimensions = static_cast<double>(sides_.size());
  for (std::size_t sides = 1; sides <= sides_.size(); ++sides) {
    const auto r = static_cast<double>(sides);
    equal_sides =
        std::min(equal_sides, r * std::pow(ranks, 1 - 1 / r) * std::pow(size, dimensions / r - 1));
  }
  equal_sides *= are_equal ? (are_rings ? 2 : 1) * least_volume : 0;
  eigenvalue *= ranks * (1 - ranks / static_cast<double>(n));
  return whole_units(
      std::max({0.0, apart, lines(k, false), lines(n - k, false), equal_sides, eigenvalue}), -1);
}

double hypercube_hop_bytes(const Job& job, const std::vector<Side>& sides, const Json& axes) {
  double volume = infinity;
  for (const Side& side : sides) volume = side.size == 2 ? std::min(volume, side.volume) : 0;
  const std::size_t n = job.hosts.size();
  const Grid grid = grid_of(axes);
  std::size_t cells = 1;
  for (const auto& [size, wraps] : grid)
    cells *= std::has_single_bit(size) && cells <= n ? size : 0;
  bool fits = !sides.empty() && cells == n && job.num_ranks == n && are_links_steps(job, grid);
  for (const auto& [host, slots] : job.slots) fits = fits && slots == 1;
  if (!fits) return 0;
  double sum = 0;
  for (const auto& [size, wraps] : grid) {
    const auto s = static_cast<double>(size);
    sum +=
        static_cast<double>(n) / s * (wraps && size > 2 ? 3 * s * s / 8 - s / 2 : s * (s - 1) / 2);
  }
  return sum * volume;
}

}  // namespace vtopo::detail::checking
