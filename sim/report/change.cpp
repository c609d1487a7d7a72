#include "sim/report/change.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vtopo::detail {

Change change(double reference, double value) {
  const double difference = value - reference;
  if (std::abs(difference) <= 1e-9 * std::abs(reference)) return {Trend::same, 0.0};
  const Trend trend = difference < 0 ? Trend::cut : Trend::raise;
  if (reference == 0) return {trend, std::nullopt};
  return {trend, 100 * std::abs(difference) / std::abs(reference)};
}

std::string percent_text(double percent) {
  return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string amount_text(double percent) {
  return percent < 0.05 ? "less than 0.1 %" : percent_text(percent);
}

std::string gap_text(double bound, double value, std::string_view bound_name) {
  const Change gap = change(bound, value);
  if (gap.trend == Trend::same) return fmt::format("at {}", bound_name);
  if (!gap.percent) return fmt::format("above {} of 0", bound_name);
  return fmt::format("{} {} {}", amount_text(*gap.percent),
                     gap.trend == Trend::raise ? "above" : "below", bound_name);
}

std::string signed_text(const Change& change) {
  if (change.trend == Trend::same) return "0 %";
  if (!change.percent) return "-";
  if (*change.percent >= 9999.5) return fmt::format("{:.3g}x", 1 + *change.percent / 100);
  const char sign = change.trend == Trend::cut ? '-' : '+';
  if (*change.percent < 0.05) return fmt::format("{}<0.1 %", sign);
  return sign + percent_text(*change.percent);
}

}  // namespace vtopo::detail
