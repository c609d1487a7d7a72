#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

#include "sim/research/bench/statistics.hpp"

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

/// Value of each seed.
using SeedValues = std::map<std::uint64_t, double>;

/// Of one instance, by mapper.
std::map<std::string, SeedValues> seed_values(const BenchTable& table) {
  std::map<std::string, SeedValues> values;
  for (const BenchRow& row : table.rows)
    if (row.status == RunStatus::ok) values[row.mapper].try_emplace(row.seed, row.value);
  return values;
}

/// log(first / second) of the sums over seeds that both have; nothing without such a seed.
std::optional<double> log_ratio(const SeedValues& first, const SeedValues& second) {
  constexpr double rounding = 1e-9;  // of sums: such values are equal
  double a = 0, b = 0;
  bool any = false;
  for (const auto& [seed, value] : first) {
    const auto other = second.find(seed);
    if (other == second.end()) continue;
    any = true;
    a += value;
    b += other->second;
  }
  if (!any) return std::nullopt;
  if (std::abs(a - b) <= rounding * std::max(a, b)) return 0;
  return std::log(a) - std::log(b);  // a value of 0 is infinitely better
}

MapperPair pair_of(const std::string& first, const std::string& second,
                   const std::vector<std::map<std::string, SeedValues>>& instances) {
  MapperPair pair;
  pair.first = first;
  pair.second = second;
  std::vector<double> logarithms;
  for (const auto& values : instances) {
    const auto a = values.find(first), b = values.find(second);
    if (a == values.end() || b == values.end()) continue;
    const auto difference = log_ratio(a->second, b->second);
    if (!difference) continue;
    logarithms.push_back(*difference);
    pair.first_better += *difference < 0 ? 1 : 0;
    pair.second_better += *difference > 0 ? 1 : 0;
  }
  pair.instances = static_cast<int>(logarithms.size());
  const double sum = std::accumulate(logarithms.begin(), logarithms.end(), 0.0);
  if (pair.instances > 0 && std::isfinite(sum)) pair.mean_ratio = std::exp(sum / pair.instances);
  pair.test = signed_rank_test(logarithms);
  return pair;
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

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double before = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double p = p_values[order[k]] * static_cast<double>(order.size() - k);
    before = std::max(before, std::min(1.0, p));
    adjusted[order[k]] = before;
  }
  return adjusted;
}

int fewest_instances(std::size_t num_pairs) {
  constexpr double level = 0.05;
  int instances = 1;
  for (double p = 1; p * static_cast<double>(num_pairs) > level; p /= 2) ++instances;
  return instances;
}

namespace {

/// log(value / best) of a mapper on one instance, by budget and seed; empty unless it has all.
using BudgetRatios = std::map<double, std::map<std::uint64_t, double>>;

BudgetRatios budget_ratios(const BenchTable& table, const std::string& mapper) {
  BudgetRatios ratios;
  for (const auto* rows : {&table.with_less, &table.rows})
    for (const BenchRow& row : *rows) {
      if (row.mapper != mapper || !row.budget) continue;
      if (row.status != RunStatus::ok || !row.ratio_to_best || *row.ratio_to_best <= 0) return {};
      ratios[*row.budget][row.seed] = std::log(*row.ratio_to_best);
    }
  return ratios;
}

}  // namespace

std::vector<QualityCurve> quality_curves(std::span<const BenchTable> tables,
                                         std::span<const LeagueRow> league) {
  std::vector<QualityCurve> curves;
  for (const LeagueRow& row : league) {
    BudgetRatios sums;
    QualityCurve curve{row.mapper, 0, 0, {}};
    for (const BenchTable& table : tables) {
      const BudgetRatios ratios = budget_ratios(table, row.mapper);
      curve.instances += ratios.empty() ? 0 : 1;
      for (const auto& [budget, seeds] : ratios)
        for (const auto& [seed, logarithm] : seeds) sums[budget][seed] += logarithm;
    }
    for (const auto& [budget, seeds] : sums) {
      CurvePoint point{budget, 0, std::numeric_limits<double>::infinity(), 0};
      for (const auto& [seed, sum] : seeds) {
        const double mean = std::exp(sum / curve.instances);
        point.mean += sum / curve.instances;
        point.least = std::min(point.least, mean);
        point.most = std::max(point.most, mean);
      }
      curve.seeds = static_cast<int>(seeds.size());
      point.mean = std::exp(point.mean / curve.seeds);
      curve.points.push_back(point);
    }
    curves.push_back(std::move(curve));
  }
  const bool any = std::any_of(curves.begin(), curves.end(),
                               [](const QualityCurve& curve) { return !curve.points.empty(); });
  return any ? curves : std::vector<QualityCurve>();
}

std::vector<MapperPair> compare_mappers(std::span<const BenchTable> tables,
                                        std::span<const LeagueRow> league,
                                        const std::string& against) {
  std::vector<std::map<std::string, SeedValues>> instances;
  for (const BenchTable& table : tables) instances.push_back(seed_values(table));
  std::vector<MapperPair> pairs;
  std::vector<double> p_values;
  const auto add = [&](const LeagueRow& first, const LeagueRow& second) {
    pairs.push_back(pair_of(first.mapper, second.mapper, instances));
    p_values.push_back(pairs.back().test.p_value);
  };
  for (std::size_t i = 0; i < league.size(); ++i)
    for (std::size_t j = 0; j < league.size(); ++j)
      if (against.empty() ? i < j : i != j && league[i].mapper == against)
        add(league[i], league[j]);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].adjusted_p = adjusted[i];
  return pairs;
}

}  // namespace vtopo::detail
