#include "sim/report/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/change.hpp"

namespace vtopo {

namespace {

using Quantities = std::pair<double, double>;

bool is_less(const Quantities& a, const Quantities& b) {
  const Trend first = change(b.first, a.first).trend;
  if (first != Trend::same) return first == Trend::cut;
  return change(b.second, a.second).trend == Trend::cut;
}

/// Row with the least quantities in lexicographic order; the baseline wins ties.
std::size_t least_row(const Report& report, Quantities (*quantities)(const Metrics&)) {
  std::size_t least = baseline_row(report);
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (is_less(quantities(report.rows[row].metrics), quantities(report.rows[least].metrics)))
      least = row;
  return least;
}

}  // namespace

std::size_t baseline_row(const Report& report) {
  const auto block = std::find_if(report.rows.begin(), report.rows.end(),
                                  [](const Row& row) { return row.mapper == "block"; });
  return block == report.rows.end() ? 0 : static_cast<std::size_t>(block - report.rows.begin());
}

std::size_t best_row(const Report& report) {
  return least_row(report, [](const Metrics& metrics) {
    return Quantities{metrics.hop_bytes.value, metrics.max_congestion.value};
  });
}

std::size_t least_congested_row(const Report& report) {
  return least_row(report, [](const Metrics& metrics) {
    return Quantities{metrics.max_congestion.value, metrics.hop_bytes.value};
  });
}

std::optional<std::size_t> fastest_row(const Report& report) {
  const std::size_t baseline = baseline_row(report);
  std::size_t fastest = baseline;
  if (!report.rows[baseline].simulation) return std::nullopt;
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    const auto& simulation = report.rows[row].simulation;
    const double least = report.rows[fastest].simulation->makespan.value;
    if (simulation && change(least, simulation->makespan.value).trend == Trend::cut) fastest = row;
  }
  if (fastest == baseline) return std::nullopt;
  return fastest;
}

std::string row_name(const Report& report, std::size_t row) {
  const Row& named = report.rows[row];
  const bool seeds_differ = std::any_of(report.rows.begin(), report.rows.end(),
                                        [&](const Row& other) { return other.seed != named.seed; });
  return seeds_differ ? fmt::format("{} (seed {})", named.mapper, named.seed) : named.mapper;
}

}  // namespace vtopo
