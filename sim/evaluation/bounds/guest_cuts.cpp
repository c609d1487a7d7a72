#include "sim/evaluation/bounds/guest_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "sim/evaluation/bounds/connectivity.hpp"

namespace vtopo::detail {

namespace {

/// Numbers of types and of sizes that are looked at, in all: a few seconds would be too many.
constexpr double max_work = 2e7;
constexpr int max_sizes = 1 << 14;

}  // namespace

GuestCuts::GuestCuts(const Partners& partners, const RankTypes& types)
    : partners_(partners),
      types_(types),
      max_degree_(index(partners.max_degree())),
      grid_(find_guest_grid(partners)),
      known_(index(Rank{types.num_ranks()}) + 1, -1) {}

/// Each rank keeps its heaviest partners inside, one less than the set has ranks; the ranks with
/// the least left make the set.
double GuestCuts::by_partners(int ranks) {
  const auto kept = index(ranks - 1);
  work_ += static_cast<double>(types_.types.size());
  if (kept >= max_degree_ || work_ > max_work) return 0;
  std::vector<std::pair<double, int>> rest;
  for (const RankType& type : types_.types) rest.emplace_back(type.without(kept), type.ranks);
  std::sort(rest.begin(), rest.end());
  double sum = 0;
  int missing = ranks;
  for (const auto& [volume, count] : rest) {
    sum += volume * std::min(missing, count);
    missing -= std::min(missing, count);
    if (missing == 0) break;
  }
  return sum;
}

double GuestCuts::by_connectivity(int ranks) {
  if (grid_) return 0;
  if (!connectivity_) connectivity_ = least_connectivity(partners_);
  const double all = num_ranks();
  return *connectivity_ * ranks * (1 - ranks / all) * (1 - 1e-12);
}

double GuestCuts::least(int ranks) {
  const int others = num_ranks() - ranks;
  if (ranks <= 0 || others <= 0) return 0;
  double& known = known_[static_cast<std::size_t>(std::min(ranks, others))];
  if (known < 0)
    known = std::max({0.0, by_partners(ranks), by_partners(others), by_connectivity(ranks),
                      grid_ ? least_grid_cut(*grid_, ranks) : 0});
  return known;
}

double GuestCuts::least_between(int fewest, int most) {
  if (fewest <= 0 || most >= num_ranks() || most - fewest > max_sizes) return 0;
  double result = std::numeric_limits<double>::infinity();
  for (int ranks = fewest; ranks <= most; ++ranks) result = std::min(result, least(ranks));
  return result;
}

double GuestCuts::least_sum(int fewest, int most) {
  const int all = num_ranks();
  if (most >= all && fewest < all) most = all;
  const auto kept = static_cast<std::size_t>(std::max(0, most - 1));
  double sum = 0;
  for (const RankType& type : types_.types) sum += type.without(kept) * type.ranks;
  const int first = std::max(1, fewest);
  if (most - first > max_sizes || most >= all) return sum;
  // Sizes k_i add up to all ranks: sum of f(k_i) >= all * least f(k) / k, and likewise for what is
  // inside.
  double each = std::numeric_limits<double>::infinity(), inside = 0;
  for (int ranks = first; ranks <= most; ++ranks) {
    each = std::min(each, least(ranks) / ranks);
    if (grid_) inside = std::max(inside, max_inside_grid(*grid_, ranks) / ranks);
  }
  sum = std::max(sum, each * all);
  return grid_ ? std::max(sum, 2 * (grid_volume(*grid_) - inside * all)) : sum;
}

}  // namespace vtopo::detail
