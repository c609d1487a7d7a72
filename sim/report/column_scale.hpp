#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vtopo::detail {

/// Writes all numbers of a column in one unit and with the same count of decimals, so that they
/// compare at a glance.
class ColumnScale {
 public:
  /// @param factor what one unit is worth.
  /// @param values of the whole column; the smallest positive one gets three significant digits (at
  /// most three decimals), and decimals that are 0 in every value are dropped.
  ColumnScale(std::string_view unit, double factor, std::span<const double> values);

  const std::string& unit() const { return unit_; }

  /// `-` where there is no value.
  std::string cell(std::optional<double> value) const;

 private:
  std::string unit_;
  double factor_;
  int decimals_;
};

/// Scale of volumes (bytes) in the largest unit that makes the smallest positive value at least 1,
/// or that makes the largest value at least 1 if they are more than four digits apart.
ColumnScale byte_scale(std::span<const double> values);

/// Scale of times (seconds), by the same rule.
ColumnScale time_scale(std::span<const double> values);

}  // namespace vtopo::detail
