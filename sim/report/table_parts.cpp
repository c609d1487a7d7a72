#include "sim/report/table_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"

namespace vtopo::detail {

namespace {

/// What a SimGrid network model assumes, human-readable.
std::string_view assumptions(std::string_view network_model) {
  if (network_model == "CM02")
    return "bandwidth shared max-min fairly, no cross traffic, latencies added per flow";
  if (network_model == "LV08") return "latency and bandwidth corrected for TCP as SimGrid does";
  if (network_model == "SMPI")
    return "latency and bandwidth corrected per message size for MPI as SimGrid does";
  return "as SimGrid defines it";
}

/// How steps follow each other in time.
std::string_view pace(const Row& row) {
  if (row.clock == "program")
    return row.phases.empty() ? "; with what messages cost at their ends"
                              : "; a rank starts its next step when its own messages are over";
  if (row.clock == "trace")
    return "; local work and messages as recorded, each rank in its own order";
  if (row.clock == "steps")
    return "; a rank starts its next step when its own messages are over; messages are too many to "
           "follow each: those of a step share links as if all of them started together";
  if (row.clock == "phases" && (row.phases.size() > 1 || row.phases.front().repeat > 1))
    return "; a step starts when the one before has ended on every rank";
  return "";
}

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

std::string solver_text(const std::string& solver) {
  return solver == "simgrid" ? "SimGrid" : "vtopo's " + solver + " solver";
}

std::string simulation_text(const Report& report) {
  const auto simulated = [](const Row& row) { return row.simulation.has_value(); };
  const auto first = std::find_if(report.rows.begin(), report.rows.end(), simulated);
  if (first == report.rows.end() && report.not_simulated.empty() && !report.background.empty())
    return "not simulated: the static bound is of the traffic of all jobs";
  if (first == report.rows.end())
    return "not simulated: " + (report.not_simulated.empty()
                                    ? "the static bound is a lower bound of the simulated time"
                                    : report.not_simulated);
  const auto count = std::count_if(report.rows.begin(), report.rows.end(), simulated);
  const auto rows = static_cast<std::ptrdiff_t>(report.rows.size());
  const bool is_total = report.makespan_name != "makespan";
  const double tolerance = first->simulation->tolerance;
  return fmt::format(
      "simulated time{}{} by {}, model {} ({}){}{}",
      is_total ? fmt::format(" ({})", report.makespan_name) : "",
      count < rows ? fmt::format(" of {} of {} rows", count, rows) : "", solver_text(first->solver),
      first->network_model, assumptions(first->network_model), pace(*first),
      tolerance > 0
          ? fmt::format("; single ends to about {:.0e} of their time in the mean", tolerance)
          : "");
}

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

std::string share_text(double share) {
  return fmt::format("{:.2g} %", 100 * share);
}

std::string noise_fact(double noise) {
  if (noise <= 0) return "not measured";
  return fmt::format("{}, measured: {:.2g} % less to {:.2g} % more is a tie", share_text(noise),
                     100 * -std::expm1(-noise), 100 * std::expm1(noise));
}

std::string amount_text(double percent) {
  return percent < 0.05 ? "less than 0.1 %" : percent_text(percent);
}

std::string gap_text(double bound, double value, std::string_view bound_name) {
  const Change gap = change(bound, value);
  if (gap.trend == Trend::same) return fmt::format("at {}", bound_name);
  if (!gap.percent) return fmt::format("above {} of 0", bound_name);
  if (gap.trend == Trend::raise && *gap.percent >= 900)  // so loose a bound says little
    return fmt::format("{:.0f} times {}", value / bound, bound_name);
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
