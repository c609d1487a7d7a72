#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

#include "sim/check/evidence.hpp"

// What k vertices of a Cartesian grid exchange with the others at least: by the lines that they
// meet (Loomis and Whitney 1949), Bollobas and Leader (1991) for equal sides, Harper (1964) for
// hypercubes, and the eigenvalues of grids.
namespace vtopo::detail::checking {
namespace {

double vertices(const Evidence& e) {
  return static_cast<double>(e.num_ranks);
}

/// Of the grid.
double all_edges(const Evidence& e) {
  double sum = 0;
  for (const Side& side : e.guest_grid)
    sum += static_cast<double>(e.num_ranks / side.size * (side.size - (side.wraps ? 0 : 1))) *
           side.volume;
  return sum;
}

/// Volumes of the grid are multiples of their greatest common divisor.
/// @param direction 1: down, -1: up.
double whole_units(const Evidence& e, double value, double direction) {
  std::int64_t unit = 0;
  for (const Side& side : e.guest_grid) {
    if (side.volume != std::floor(side.volume) || side.volume >= 0x1p53) return value;
    unit = std::gcd(unit, static_cast<std::int64_t>(side.volume));
  }
  const double units = value / static_cast<double>(unit);
  if (!(value > 0) || units * rounding >= 0.5) return value;
  return direction * std::floor(direction * units + units * rounding + 1e-6) *
         static_cast<double>(unit);
}

/// Least weighted number of lines that k ranks meet: the product of the lines of all dimensions is
/// at least k^(d-1). Lagrange's multiplier by halving; any gives a lower bound. Then what is inside
/// at most, or what is cut at least: a line that is met and not full is cut, on a ring twice.
double by_lines(const Evidence& e, std::size_t k, bool inside) {
  const auto ranks = static_cast<double>(k);
  double low = 0, high = 0, surplus = 0;
  std::vector<std::array<double, 3>> dimensions;  // weight, fewest and most lines
  for (const Side& side : e.guest_grid) {
    const auto size = static_cast<double>(side.size);
    const double weight = (side.wraps && !inside ? 2 : 1) * side.volume;
    const bool may_fill = k >= side.size && (side.wraps || !inside);
    const double price = may_fill ? weight * size / (size - 1) : weight;
    surplus += inside ? price * ranks : may_fill ? weight * ranks / (size - 1) : 0;
    dimensions.push_back({price, std::ceil(ranks / size), std::min(vertices(e) / size, ranks)});
    high = std::max(high, price * dimensions.back()[2]);
  }
  const double needed = (count(dimensions) - 1) * std::log(ranks);
  // At a multiplier: the bound, and by how much the lines fall short.
  const auto at = [&](double multiplier) {
    double sum = multiplier * needed, terms = sum, missing = needed;
    for (const auto& [price, fewest, most] : dimensions) {
      const double lines = std::clamp(multiplier / price, fewest, most), log = std::log(lines);
      sum += price * lines - multiplier * log, terms += price * lines + multiplier * log;
      missing -= log;
    }
    return std::pair(sum - 1e-11 * terms, missing);
  };
  for (int i = 0; i < 50; ++i) (at((low + high) / 2).second > 0 ? low : high) = (low + high) / 2;
  const double least = std::max({at(0).first, at(low).first, at(high).first});
  return inside ? surplus - least : least - surplus;
}

/// What k ranks exchange among themselves at most.
double inside(const Evidence& e, std::size_t k) {
  if (k < 2) return 0;
  double volume = 0;
  bool is_hypercube = true;
  for (const Side& side : e.guest_grid)
    volume = std::max(volume, side.volume), is_hypercube = is_hypercube && side.size == 2;
  if (!is_hypercube) return std::min(all_edges(e), whole_units(e, by_lines(e, k, true), 1));
  std::size_t edges = 0;  // of the first k vertices in binary order: those with an edge down
  for (std::size_t vertex = 1; vertex < k; ++vertex)
    edges += static_cast<std::size_t>(std::popcount(vertex));
  return static_cast<double>(edges) * volume;
}

}  // namespace

/// The guest has all edges of the grid.
void check_grid(const Evidence& e) {
  const std::size_t n = e.num_ranks;
  std::size_t stride = 1;
  for (const Side& side : e.guest_grid) stride *= side.size >= 2 && stride <= n ? side.size : 0;
  if (e.guest_grid.empty()) return;
  e.require(stride == n, "bounds: a grid of another number of ranks");
  std::vector<std::size_t> rank_at(n, n);
  for (std::size_t r = 0; r < n; ++r)
    rank_at[e.witness().contains("grid_cells") ? whole(e.witness().at("grid_cells").at(r), n) : r] =
        r;
  stride = 1;
  bool is_most = true;
  for (const Side& side : e.guest_grid) {
    double least = infinity, wrap = infinity;
    for (std::size_t cell = 0; cell < n; ++cell) {
      const std::size_t at = cell / stride % side.size;
      const std::size_t other = at + 1 < side.size ? cell + stride : cell - at * stride;
      e.require(rank_at[cell] < n && rank_at[other] < n, "bounds: a grid without some ranks");
      double& volume = at + 1 == side.size && !side.wraps ? wrap : least;
      volume = std::min(volume, volume_of(e.both, rank_at[cell], rank_at[other]));
    }
    e.require(side.volume <= least, "bounds: the guest does not have that grid");
    is_most = is_most && side.volume == least && (side.wraps || side.size == 2 || wrap < least);
    stride *= side.size;
  }
  const Json& grid = e.witness().at("grid");
  is_most = is_most && std::all_of(grid.begin(), grid.end(), [](const Json& side) {
              return side.size() == 3 && (side[1] == 0 || side[1] == 1);
            });
  if (!e.is_known_grid) return;  // of others a weaker one is right, too
  e.require(is_most, "bounds: the guest has more of that grid");
  e.vouch(grid);
}

double cut_of_grid(const Evidence& e, std::size_t ranks) {
  const std::size_t n = e.num_ranks, k = std::min(ranks, n - std::min(ranks, n));
  if (e.guest_grid.empty() || k == 0) return 0;
  const double apart = all_edges(e) - inside(e, k) - inside(e, n - k);
  const Side& first = e.guest_grid.front();
  const auto size = static_cast<double>(first.size), dimensions = count(e.guest_grid);
  const auto few = static_cast<double>(k);
  bool are_equal = true, are_rings = first.size % 2 == 0;
  double volume = infinity, eigenvalue = infinity, equal_sides = infinity;
  for (const Side& side : e.guest_grid) {
    are_equal = are_equal && side.size == first.size, are_rings = are_rings && side.wraps;
    volume = std::min(volume, side.volume);
    const double angle = (side.wraps ? 2 : 1) * std::numbers::pi / static_cast<double>(side.size);
    eigenvalue = std::min(eigenvalue, side.volume * (2 - 2 * std::cos(angle)));
  }
  if (are_equal && first.size == 2) return apart;
  for (double r = 1; r <= dimensions; ++r)
    equal_sides =
        std::min(equal_sides, r * std::pow(few, 1 - 1 / r) * std::pow(size, dimensions / r - 1));
  equal_sides *= are_equal ? (are_rings ? 2 : 1) * volume : 0;
  eigenvalue *= few * (1 - few / vertices(e));
  return whole_units(e,
                     std::max({0.0, apart, by_lines(e, k, false), by_lines(e, n - k, false),
                               equal_sides, eigenvalue}),
                     -1);
}

double between_parts_of_grid(const Evidence& e, std::size_t first, std::size_t most) {
  double most_inside = 0;
  for (std::size_t k = first; k <= most && !e.guest_grid.empty(); ++k)
    most_inside = std::max(most_inside, inside(e, k) / static_cast<double>(k));
  return all_edges(e) - most_inside * vertices(e);
}

/// A hypercube on a grid of as many hosts whose sizes are powers of two, links only between
/// neighbours: its optimum.
Proof hop_bytes_of_hypercube(Evidence& e) {
  if (!e.knows_ends) return std::nullopt;
  const std::size_t n = e.hosts.size();
  double volume = infinity, sum = 0;
  std::size_t cells = 1;
  bool fits = !e.guest_grid.empty() && e.num_ranks == n && e.max_slots == 1 && are_links_steps(e);
  for (const Side& side : e.guest_grid)
    fits = fits && side.size == 2, volume = std::min(volume, side.volume);
  for (const Side& side : e.host_grid) {
    const auto s = static_cast<double>(side.size);
    fits = fits && std::has_single_bit(side.size), cells *= cells <= n ? side.size : 0;
    sum += side.wraps && side.size > 2 ? 3 * s / 8 - 0.5 : (s - 1) / 2;
  }
  e.require(fits && cells == n, "bounds: not a hypercube on a grid of hosts");
  return sum * static_cast<double>(n) * volume;
}

}  // namespace vtopo::detail::checking
