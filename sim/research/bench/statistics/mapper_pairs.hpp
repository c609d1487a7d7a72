#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/research/bench/bench.hpp"
#include "sim/research/bench/statistics/signed_rank.hpp"

namespace vtopo::detail {

/// Two mappers on the instances that both solved.
struct MapperPair {
  std::string first, second;         ///< as in rows; the first is ahead in the league
  int instances = 0;                 ///< that both solved
  int first_better = 0;              ///< instances on which the first has the smaller value
  int second_better = 0;             ///< likewise; the others are ties
  std::optional<double> mean_ratio;  ///< geometric mean of first / second; absent: none, or a 0
  SignedRankTest test;               ///< of the logarithms of first / second
  double adjusted_p = 1;             ///< of all pairs together (S. Holm, 1979)
};

/// All pairs of mappers in the order of `league`: an instance is one observation, its value the
/// mean over the seeds that both mappers solved.
std::vector<MapperPair> compare_mappers(std::span<const BenchTable> tables,
                                        std::span<const LeagueRow> league);

/// p-values of a family of tests: that of rank k of m is multiplied by m - k + 1, and none is below
/// one before it, nor above 1.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace vtopo::detail
