#include "sim/run/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

bool is_baseline(const Row& row) {
  return row.mapper == mapper_of(MapperRole::baseline).name;
}

bool all_simulated(const Report& report) {
  return std::all_of(report.rows.begin(), report.rows.end(),
                     [](const Row& row) { return row.simulation.has_value(); });
}

std::vector<double> row_times(const Report& report) {
  const bool simulated = all_simulated(report);
  std::vector<double> result;
  for (const Row& row : report.rows)
    result.push_back(report.by_hop_bytes ? row.metrics.hop_bytes.value
                     : simulated         ? row.simulation->makespan.value
                                         : row.metrics.max_congestion.value);
  return result;
}

std::vector<std::size_t> sorted_rows(const Report& report) {
  const auto time = row_times(report);
  const std::size_t best = report.verdict.best;
  std::vector<std::size_t> order(report.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (a == best || b == best) return a == best && b != best;
    return time[a] < time[b];
  });
  return order;
}

std::size_t fewest_hop_bytes(const Report& report, std::span<const std::size_t> rows,
                             std::size_t preferred) {
  constexpr double rounding = 1e-9;  // of sums, relative
  const auto hop_bytes = [&](std::size_t row) { return report.rows[row].metrics.hop_bytes.value; };
  std::size_t fewest =
      std::find(rows.begin(), rows.end(), preferred) == rows.end() ? rows.front() : preferred;
  for (const std::size_t row : rows)
    if (hop_bytes(row) < hop_bytes(fewest) * (1 - rounding)) fewest = row;
  return fewest;
}

std::string row_name(const Report& report, std::size_t row) {
  const Row& named = report.rows[row];
  const bool seeds_differ = std::any_of(report.rows.begin(), report.rows.end(),
                                        [&](const Row& other) { return other.seed != named.seed; });
  return seeds_differ ? fmt::format("{} (seed {})", named.mapper, named.seed) : named.mapper;
}

bool steps_overlap(const Row& row) {
  return row.clock == "program" || row.clock == "steps";
}

std::string_view static_bound_name(const Row& row) {
  return steps_overlap(row) && row.phases.size() > 1 ? "the sum of the static bounds of its phases"
                                                     : "the static bound";
}

}  // namespace vtopo::detail
