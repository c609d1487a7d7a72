#include "sim/report/column_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

using Unit = std::pair<std::string_view, double>;

constexpr Unit byte_units[] = {{"B", 1.0},      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                               {"TiB", 0x1p40}, {"PiB", 0x1p50}, {"EiB", 0x1p60}};
constexpr Unit time_units[] = {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

/// Decimals that give the smallest positive value three significant digits, from 0 to 3.
int wanted_decimals(double factor, std::span<const double> values) {
  int decimals = 0;
  for (const double value : values)
    if (value > 0 && std::isfinite(value))
      decimals = std::max(decimals, 2 - static_cast<int>(std::floor(std::log10(value / factor))));
  return std::min(decimals, 3);
}

/// Whether the last decimal of every value is 0.
bool last_decimal_is_zero(double factor, int decimals, std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) {
    return fmt::format("{:.{}f}", value / factor, decimals).back() == '0';
  });
}

/// Largest unit that `value` reaches; just below a unit, three significant digits round up to it.
std::size_t unit_of(std::span<const Unit> units, double value) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && value >= 0.9995 * units[unit + 1].second) ++unit;
  return unit;
}

/// The unit of the smallest value, unless the largest one would then have five digits or more; the
/// unit worth 1 if there is no value above 0.
ColumnScale scale(std::span<const Unit> units, std::span<const double> values) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) continue;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
  }
  if (largest == 0) smallest = 1;
  std::size_t unit = unit_of(units, smallest);
  if (largest / units[unit].second >= 9999.5) unit = unit_of(units, largest);
  return {units[unit].first, units[unit].second, values};
}

}  // namespace

ColumnScale::ColumnScale(std::string_view unit, double factor, std::span<const double> values)
    : unit_(unit), factor_(factor), decimals_(wanted_decimals(factor, values)) {
  while (decimals_ > 0 && last_decimal_is_zero(factor, decimals_, values)) --decimals_;
}

std::string ColumnScale::cell(std::optional<double> value) const {
  if (!value) return "-";
  const double smallest = std::pow(10.0, -decimals_);
  if (*value > 0 && *value / factor_ < smallest / 2)
    return fmt::format("<{:.{}f}", smallest, decimals_);
  return fmt::format("{:.{}f}", *value / factor_, decimals_);
}

ColumnScale byte_scale(std::span<const double> values) {
  return scale(byte_units, values);
}

ColumnScale time_scale(std::span<const double> values) {
  return scale(time_units, values);
}

}  // namespace vtopo::detail
