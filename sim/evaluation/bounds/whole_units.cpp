#include "sim/evaluation/bounds/whole_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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

}  // namespace vtopo::detail
