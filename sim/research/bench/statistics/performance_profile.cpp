#include "sim/research/bench/statistics/performance_profile.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

namespace vtopo::detail {

namespace {

/// Values of one problem, by mapper; those that have one.
using Values = std::map<std::string, double>;

/// Of each seed of an instance.
std::map<std::uint64_t, Values> problems_of(const BenchTable& table) {
  std::map<std::uint64_t, Values> problems;
  for (const BenchRow& row : table.rows) {
    Values& values = problems[row.seed];
    if (row.status == RunStatus::ok) values.try_emplace(row.mapper, row.value);
  }
  return problems;
}

/// Adds the ratios of one problem.
void add_ratios(const Values& values, std::map<std::string, PerformanceProfile>& profiles) {
  constexpr double rounding = 1e-9;  // of sums: who is so near is among the best
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [mapper, value] : values) best = std::min(best, value);
  for (const auto& [mapper, value] : values) {
    if (best <= 0 && value > 0) continue;  // beyond every factor
    const double ratio = best > 0 ? value / best : 1;
    profiles[mapper].ratios.push_back(ratio < 1 + rounding ? 1 : ratio);
  }
}

}  // namespace

double PerformanceProfile::share(double t) const {
  if (problems == 0) return 0;
  const auto within = std::upper_bound(ratios.begin(), ratios.end(), t) - ratios.begin();
  return static_cast<double>(within) / problems;
}

std::vector<PerformanceProfile> performance_profiles(std::span<const BenchTable> tables,
                                                     std::span<const LeagueRow> league) {
  std::map<std::string, PerformanceProfile> profiles;
  int problems = 0;
  for (const BenchTable& table : tables)
    for (const auto& [seed, values] : problems_of(table)) {
      ++problems;
      add_ratios(values, profiles);
    }
  std::vector<PerformanceProfile> result;
  for (const LeagueRow& row : league) {
    PerformanceProfile& profile = profiles[row.mapper];
    profile.mapper = row.mapper;
    profile.problems = problems;
    std::sort(profile.ratios.begin(), profile.ratios.end());
    result.push_back(profile);
  }
  return result;
}

}  // namespace vtopo::detail
