#include "sim/experiment/kept_order.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vtopo::detail {

namespace {

/// Figures this close are the same but for rounding.
constexpr double same = 1e-9;

/// Gain of the second value over the first, as a share of it; 0 where they are the same.
double gain(double before, double after) {
  if (std::abs(after - before) <= same * before) return 0;
  return before > 0 ? 1 - after / before : -1;
}

double gain_of_time(const Row& given, const Row& other) {
  if (given.simulation && other.simulation)
    return gain(given.simulation->makespan.value, other.simulation->makespan.value);
  return gain(given.metrics.max_congestion.value, other.metrics.max_congestion.value);
}

/// In the first sum in which the rows differ.
double gain_of_sums(const Objective& objective, const Row& given, const Row& other) {
  const Cost before = cost_of(objective, given.metrics);
  const Cost after = cost_of(objective, other.metrics);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (const double gained = gain(before[i], after[i]); gained != 0) return gained;
  return 0;
}

std::string time_sentence(double gained, const std::string& min_gain) {
  if (gained == 0) return "is predicted to take the same time";
  const double percent = 100 * std::abs(gained);
  const std::string amount = fmt::format("is predicted to take {:.{}f} % {} time", percent,
                                         percent < 9.95 ? 1 : 0, gained < 0 ? "more" : "less");
  return gained < 0 ? amount : fmt::format("{}, not more than --min-gain {}", amount, min_gain);
}

}  // namespace

void decide_order(const Objective& objective, const Parsed<parse_gain>& min_gain, Report& report) {
  if (report.rows.size() < 2) return;
  const Row& given = report.rows.front();
  const Row& other = report.rows.back();
  const double time = gain_of_time(given, other);
  const bool by_time = objective.time != TimeFirst::no;
  const double gained = by_time ? time : gain_of_sums(objective, given, other);
  const bool is_slower = time < 0 && std::isfinite(*min_gain);
  report.kept_order = is_slower || gained <= *min_gain;
  if (!*report.kept_order) return;
  report.kept_because =
      fmt::format("the order given, {}, is kept: {} {}", given.mapper, other.mapper,
                  is_slower || by_time ? time_sentence(time, min_gain.text())
                                       : fmt::format("gains no more than --min-gain {} under {}",
                                                     min_gain.text(), to_string(objective)));
}

}  // namespace vtopo::detail
