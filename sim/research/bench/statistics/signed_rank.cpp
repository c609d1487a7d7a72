#include "sim/research/bench/statistics/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vtopo::detail {

namespace {

/// Ranks of the sizes of differences, doubled so that mean ranks of ties are whole numbers.
struct DoubledRanks {
  std::vector<std::size_t> ranks;  ///< ascending by size
  std::size_t up = 0;              ///< sum over differences > 0
  std::size_t total = 0;
  double tie_term = 0;  ///< sum over groups of t equal sizes of t^3 - t
};

DoubledRanks doubled_ranks(std::span<const double> differences) {
  std::vector<double> sorted;
  for (const double difference : differences)
    if (difference != 0) sorted.push_back(difference);
  std::sort(sorted.begin(), sorted.end(),
            [](double a, double b) { return std::abs(a) < std::abs(b); });
  DoubledRanks result;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first;
    while (end < sorted.size() && std::abs(sorted[end]) == std::abs(sorted[first])) ++end;
    const std::size_t rank = first + 1 + end;  // twice the mean of first + 1, ..., end
    for (std::size_t i = first; i < end; ++i) {
      result.ranks.push_back(rank);
      result.total += rank;
      if (sorted[i] > 0) result.up += rank;
    }
    const auto ties = static_cast<double>(end - first);
    result.tie_term += ties * ties * ties - ties;
    first = end;
  }
  return result;
}

/// Share of the 2^n signs whose sum of ranks is at most `sum`: exact up to 53 ranks.
double share_up_to(const DoubledRanks& ranks, std::size_t sum) {
  std::vector<double> signs(ranks.total + 1, 0.0);  // by sum
  signs[0] = 1;
  for (const std::size_t rank : ranks.ranks)
    for (std::size_t s = ranks.total; s >= rank; --s) signs[s] += signs[s - rank];
  double count = 0;
  for (std::size_t s = 0; s <= sum; ++s) count += signs[s];
  return std::ldexp(count, -static_cast<int>(ranks.ranks.size()));
}

double normal_p(const DoubledRanks& ranks) {
  const auto n = static_cast<double>(ranks.ranks.size());
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_term / 48;
  if (variance <= 0) return 1;
  const double distance = std::abs(static_cast<double>(ranks.up) / 2 - n * (n + 1) / 4);
  const double z = std::max(0.0, distance - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

}  // namespace

SignedRankTest signed_rank_test(std::span<const double> differences) {
  const DoubledRanks ranks = doubled_ranks(differences);
  SignedRankTest test;
  test.pairs = static_cast<int>(ranks.ranks.size());
  test.rank_sum_up = static_cast<double>(ranks.up) / 2;
  test.rank_sum_down = static_cast<double>(ranks.total - ranks.up) / 2;
  test.exact = test.pairs <= max_exact_pairs;
  test.p_value =
      test.exact ? std::min(1.0, 2 * share_up_to(ranks, std::min(ranks.up, ranks.total - ranks.up)))
                 : normal_p(ranks);
  return test;
}

}  // namespace vtopo::detail
