#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/research/bench/bench.hpp"

namespace vtopo::detail {

/// Performance profile of a mapper (E. Dolan and J. More, Math. Programming 91, 2002): of which
/// share of the problems its value is at most t times the best of all mappers, for every t.
struct PerformanceProfile {
  std::string mapper;          ///< as in rows
  std::vector<double> ratios;  ///< value / best of all mappers where it has one, ascending, >= 1
  int problems = 0;            ///< instances with each seed, those without a value too

  /// Share of the problems with a ratio of at most `t`.
  double share(double t) const;
};

/// Profiles of all mappers in the order of `league`. A problem is an instance with a seed; one that
/// a mapper does not solve, or does not map, counts for none of its shares. Unlike the league a
/// profile compares with the best of these mappers, not with the best known.
std::vector<PerformanceProfile> performance_profiles(std::span<const BenchTable> tables,
                                                     std::span<const LeagueRow> league);

}  // namespace vtopo::detail
