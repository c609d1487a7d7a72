#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/research/bench/bench.hpp"

namespace vtopo::detail {

/// What Wilcoxon's signed-rank test says of paired differences.
struct SignedRankTest {
  int pairs = 0;             ///< differences other than 0; the others are left out, as Wilcoxon did
  double rank_sum_up = 0;    ///< of the ranks of differences > 0; ties share their mean rank
  double rank_sum_down = 0;  ///< of the ranks of differences < 0
  double p_value = 1;        ///< two-sided; 1 without pairs
  /// Effect size (D. Kerby, Comprehensive Psychology 3, 2014): what the ranks of differences < 0
  /// are more than the others, as a share of all; 1: all differences are < 0. Nothing without
  /// pairs.
  std::optional<double> rank_biserial() const {
    if (pairs == 0) return std::nullopt;
    return (rank_sum_down - rank_sum_up) / (rank_sum_down + rank_sum_up);
  }
  bool exact = true;  ///< by the distribution of all signs; else by the normal approximation
};

/// Most pairs of an exact test.
inline constexpr int max_exact_pairs = 50;

/// Tests whether differences lie about 0 (F. Wilcoxon, Biometrics Bulletin 1, 1945). Up to
/// `max_exact_pairs` by counting all signs of the ranks, with ties as they are; beyond by the
/// normal distribution with the variance of ties and a correction for continuity.
/// @param differences infinite ones are the largest; none is NaN.
SignedRankTest signed_rank_test(std::span<const double> differences);

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

/// What a mapper reaches with one budget: value / best of instances, as geometric means.
struct CurvePoint {
  double budget = 0;  ///< steps or seconds
  double mean = 0;    ///< over instances and seeds
  double least = 0;   ///< of the means over instances of each seed, the smallest
  double most = 0;    ///< the largest
};

/// What a mapper reaches with more and more steps or time.
struct QualityCurve {
  std::string mapper;              ///< as in rows
  int instances = 0;               ///< that it solved with every budget and seed; others count not
  int seeds = 0;                   ///< of each instance and budget
  std::vector<CurvePoint> points;  ///< by budget; none without instances
};

/// A curve for each mapper of `league`, in its order; none where runs have no budgets.
std::vector<QualityCurve> quality_curves(std::span<const BenchTable> tables,
                                         std::span<const LeagueRow> league);

/// All pairs of mappers in the order of `league`: an instance is one observation, its value the
/// mean over the seeds that both mappers solved.
/// @param against if not empty, only pairs of this mapper, which is the first of each.
std::vector<MapperPair> compare_mappers(std::span<const BenchTable> tables,
                                        std::span<const LeagueRow> league,
                                        const std::string& against = {});

/// p-values of a family of tests: that of rank k of m is multiplied by m - k + 1, and none is below
/// one before it, nor above 1.
std::vector<double> holm_adjusted(std::span<const double> p_values);

/// Fewest instances of which so many pairs of mappers can differ at the level of 5 %: fewer differ
/// in one direction by chance with a probability above that, even without ties.
int fewest_instances(std::size_t num_pairs);

}  // namespace vtopo::detail
