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

/// Share up to which predicted times cannot be told apart on the machine of a report; 0 where no
/// machine was measured. Machine files do not state it yet.
double noise_of(const Report&) {
  return 0;
}

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

Verdict fastest(const Report& report, Verdict verdict, double equal) {
  const std::vector<double> times = row_times(report);
  const double least = *std::min_element(times.begin(), times.end());
  std::vector<std::size_t> tied;
  for (std::size_t row = 0; row < times.size(); ++row)
    if (gain(times[row], least, equal) == 0) tied.push_back(row);
  verdict.best = fewest_hop_bytes(report, tied, verdict.baseline);
  std::erase(tied, verdict.best);
  verdict.ties = std::move(tied);
  return verdict;
}

/// Between the first row and the last one.
Verdict kept_or_replaced(const Report& report, const OrderRule& rule, Verdict verdict,
                         double equal) {
  const std::size_t last = report.rows.size() - 1;
  const std::vector<double> times = row_times(report);
  const double gain_of_time = gain(times.front(), times.back(), equal);
  const bool by_time = rule.objective.time != TimeFirst::no;
  const double gained = by_time
                            ? gain_of_time
                            : gain_of_sums(rule.objective, report.rows.front(), report.rows.back());
  const std::string& share = rule.min_gain.text();
  const bool is_slower = gain_of_time < 0, always = std::isinf(*rule.min_gain);
  const std::string mapper = row_name(report, last);
  verdict.baseline = 0;
  verdict.kept_order = !always && (is_slower || gained <= *rule.min_gain);
  verdict.best = *verdict.kept_order ? 0 : last;
  if (!by_time) verdict.by = to_string(rule.objective);
  if (gained == 0) verdict.ties = {last - verdict.best};
  if (always && (is_slower || gained <= 0))
    verdict.because = fmt::format("--min-gain {} asks for it", share);
  else if (*verdict.kept_order && is_slower)
    verdict.because = mapper + " is predicted to take more time";
  else if (*verdict.kept_order && gained != 0)
    verdict.because =
        fmt::format("by {} {} gains no more than --min-gain {}", verdict.by, mapper, share);
  return verdict;
}

}  // namespace

Verdict decide(const Report& report, const std::optional<OrderRule>& rule) {
  const double equal = std::max(noise_of(report), tie_share);
  Verdict verdict;
  verdict.by = all_simulated(report) ? "simulated time" : "static time";
  verdict.baseline = baseline_of(report);
  if (rule && report.rows.size() > 1)
    return kept_or_replaced(report, *rule, std::move(verdict), equal);
  return fastest(report, std::move(verdict), equal);
}

}  // namespace vtopo::detail
