#include "sim/run/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/run/ranking.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_sum = 1e-9;  ///< relative: sums round

/// Gain of the second value over the first, as a share of it; 0 where they differ by no more than
/// the share `equal`.
double gain(double before, double after, double equal) {
  if (after == before) return 0;  // infinite ones, too
  if (std::isfinite(before) && std::abs(after - before) <= equal * before) return 0;
  return before > 0 ? 1 - after / before : -1;
}

/// In the first sum in which the rows differ.
double gain_of_sums(const Objective& objective, const Row& given, const Row& other) {
  const Cost before = cost_of(objective, given.metrics);
  const Cost after = cost_of(objective, other.metrics);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (const double gained = gain(before[i], after[i], same_sum); gained != 0) return gained;
  return 0;
}

/// The row of the mapper that others are compared with, else the first.
std::size_t baseline_of(const Report& report) {
  const auto row = std::find_if(report.rows.begin(), report.rows.end(), is_baseline);
  return row == report.rows.end() ? 0 : static_cast<std::size_t>(row - report.rows.begin());
}

Verdict fastest(const Report& report, Verdict verdict) {
  const std::vector<double> times = row_times(report);
  const double least = *std::min_element(times.begin(), times.end());
  std::vector<std::size_t> tied;
  for (std::size_t row = 0; row < times.size(); ++row)
    if (is_tie(times[row], least, report.noise)) tied.push_back(row);
  verdict.best = fewest_hop_bytes(report, tied, verdict.baseline);
  std::erase(tied, verdict.best);
  verdict.ties = std::move(tied);
  return verdict;
}

/// Between the first row and the last one.
Verdict kept_or_replaced(const Report& report, const OrderRule& rule, Verdict verdict) {
  const std::size_t last = report.rows.size() - 1;
  const std::vector<double> times = row_times(report);
  const double gain_of_time = gain(times.front(), times.back(), tie_share);
  const bool by_time = rule.objective.time != TimeFirst::no;
  const double gained = by_time
                            ? gain_of_time
                            : gain_of_sums(rule.objective, report.rows.front(), report.rows.back());
  const double least = least_gain(rule.min_gain, report.noise);
  const bool is_slower = gain_of_time < 0, always = std::isinf(least);
  const std::string mapper = row_name(report, last);
  verdict.baseline = 0;
  verdict.kept_order = !always && (is_slower || gained <= least);
  verdict.best = *verdict.kept_order ? 0 : last;
  if (!by_time) verdict.by = to_string(rule.objective);
  if (gained == 0 || (by_time && is_tie(times.front(), times.back(), report.noise)))
    verdict.ties = {last - verdict.best};
  if (always && (is_slower || gained <= 0))
    verdict.because = fmt::format("--min-gain {} asks for it", rule.min_gain.text());
  else if (*verdict.kept_order && is_slower)
    verdict.because = mapper + " is predicted to take more time";
  else if (*verdict.kept_order && gained != 0 && verdict.ties.empty())
    verdict.because =
        fmt::format("by {} {} gains no more than --min-gain {}", verdict.by, mapper,
                    *rule.min_gain ? rule.min_gain.text() : fmt::format("{:.3g}%", 100 * least));
  return verdict;
}

}  // namespace

bool is_tie(double a, double b, double noise) {
  if (a == b) return true;  // infinite ones, too
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  const double larger = std::max(a, b), smaller = std::min(a, b);
  return larger - smaller <= tie_share * larger ||
         (smaller > 0 && std::log(larger / smaller) <= noise);
}

double least_gain(const Parsed<parse_gain>& min_gain, double noise) {
  constexpr double usual = 0.01;
  return (*min_gain).value_or(std::max(usual, noise / 2));
}

Verdict decide(const Report& report, const std::optional<OrderRule>& rule) {
  Verdict verdict;
  verdict.by = report.by_hop_bytes     ? "hop-bytes"
               : all_simulated(report) ? "simulated time"
                                       : "static time";
  verdict.baseline = baseline_of(report);
  if (rule && report.rows.size() > 1) return kept_or_replaced(report, *rule, std::move(verdict));
  return fastest(report, std::move(verdict));
}

}  // namespace vtopo::detail
