#include "sim/experiment/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Differences of time below this share do not outweigh hop-bytes.
constexpr double negligible = 1e-3;

constexpr double rounding = 1e-9;  ///< of sums of hop-bytes, relative

bool all_simulated(const Report& report) {
  return std::all_of(report.rows.begin(), report.rows.end(),
                     [](const Row& row) { return row.simulation.has_value(); });
}

/// Row with the fewest hop-bytes among those that `admitted` lets pass (at least one).
template <class Admitted>
std::size_t fewest_hop_bytes(const Report& report, Admitted admitted) {
  std::size_t fewest = baseline_row(report);
  if (!admitted(fewest)) fewest = report.rows.size();
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    if (!admitted(row)) continue;
    const auto hop_bytes = [&](std::size_t r) { return report.rows[r].metrics.hop_bytes.value; };
    if (fewest == report.rows.size() || hop_bytes(row) < hop_bytes(fewest) * (1 - rounding))
      fewest = row;
  }
  return fewest;
}

}  // namespace

bool detail::is_baseline(const Row& row) {
  return row.mapper == mapper_of(MapperRole::baseline).name;
}

std::size_t baseline_row(const Report& report) {
  const auto row = std::find_if(report.rows.begin(), report.rows.end(), is_baseline);
  return row == report.rows.end() ? 0 : static_cast<std::size_t>(row - report.rows.begin());
}

std::vector<double> detail::row_times(const Report& report) {
  const bool simulated = all_simulated(report);
  std::vector<double> result;
  for (const Row& row : report.rows)
    result.push_back(simulated ? row.simulation->makespan.value : row.metrics.max_congestion.value);
  return result;
}

std::size_t detail::best_row(const Report& report) {
  const auto time = row_times(report);
  const double least = *std::min_element(time.begin(), time.end());
  return fewest_hop_bytes(report,
                          [&](std::size_t row) { return time[row] <= least * (1 + negligible); });
}

std::vector<std::size_t> detail::sorted_rows(const Report& report) {
  const auto time = row_times(report);
  const std::size_t best = best_row(report);
  std::vector<std::size_t> order(report.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (a == best || b == best) return a == best && b != best;
    return time[a] < time[b];
  });
  return order;
}

std::string detail::best_by(const Report& report) {
  return all_simulated(report) ? "simulated time" : "static time";
}

std::size_t detail::fewest_hop_bytes_row(const Report& report) {
  return fewest_hop_bytes(report, [](std::size_t) { return true; });
}

std::string detail::row_name(const Report& report, std::size_t row) {
  const Row& named = report.rows[row];
  const bool seeds_differ = std::any_of(report.rows.begin(), report.rows.end(),
                                        [&](const Row& other) { return other.seed != named.seed; });
  return seeds_differ ? fmt::format("{} (seed {})", named.mapper, named.seed) : named.mapper;
}

bool detail::steps_overlap(const Row& row) {
  return row.clock == "program" || row.clock == "steps";
}

std::string_view detail::static_bound_name(const Row& row) {
  return steps_overlap(row) && row.phases.size() > 1 ? "the sum of the static bounds of its phases"
                                                     : "the static bound";
}

}  // namespace vtopo
