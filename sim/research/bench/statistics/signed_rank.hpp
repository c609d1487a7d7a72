#pragma once

#include <span>

namespace vtopo::detail {

/// What Wilcoxon's signed-rank test says of paired differences.
struct SignedRankTest {
  int pairs = 0;             ///< differences other than 0; the others are left out, as Wilcoxon did
  double rank_sum_up = 0;    ///< of the ranks of differences > 0; ties share their mean rank
  double rank_sum_down = 0;  ///< of the ranks of differences < 0
  double p_value = 1;        ///< two-sided; 1 without pairs
  bool exact = true;         ///< by the distribution of all signs; else by the normal approximation
};

/// Most pairs of an exact test.
inline constexpr int max_exact_pairs = 50;

/// Tests whether differences lie about 0 (F. Wilcoxon, Biometrics Bulletin 1, 1945). Up to
/// `max_exact_pairs` by counting all signs of the ranks, with ties as they are; beyond by the
/// normal distribution with the variance of ties and a correction for continuity.
/// @param differences infinite ones are the largest; none is NaN.
SignedRankTest signed_rank_test(std::span<const double> differences);

}  // namespace vtopo::detail
