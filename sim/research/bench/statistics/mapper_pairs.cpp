#include "sim/research/bench/statistics/mapper_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

namespace vtopo::detail {

namespace {

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

std::vector<MapperPair> compare_mappers(std::span<const BenchTable> tables,
                                        std::span<const LeagueRow> league) {
  std::vector<std::map<std::string, SeedValues>> instances;
  for (const BenchTable& table : tables) instances.push_back(seed_values(table));
  std::vector<MapperPair> pairs;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < league.size(); ++i)
    for (std::size_t j = i + 1; j < league.size(); ++j) {
      pairs.push_back(pair_of(league[i].mapper, league[j].mapper, instances));
      p_values.push_back(pairs.back().test.p_value);
    }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].adjusted_p = adjusted[i];
  return pairs;
}

}  // namespace vtopo::detail
