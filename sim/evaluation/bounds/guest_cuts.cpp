#include "sim/evaluation/bounds/guest_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "sim/evaluation/bounds/forest_cuts.hpp"
#include "sim/evaluation/bounds/spectrum.hpp"

namespace vtopo::detail {

namespace {

/// Numbers of types and of sizes that are looked at, in all: a few seconds would be too many.
constexpr double max_work = 2e7;
constexpr int max_sizes = 1 << 14;

/// Above, trees and forests take too long.
constexpr int max_tree_ranks = 4096;
constexpr int max_tree_set = 128;
constexpr int max_forest_ranks = 1 << 16;

/// Sets of at most `most` ranks: of a rank and k others so many are in other sets.
std::vector<double> outside_of_set(int most) {
  std::vector<double> reach;
  for (int others = 0; others <= std::max(64, 4 * most); ++others)
    reach.push_back(std::max(0, others + 1 - most));
  return reach;
}

}  // namespace

GuestCuts::GuestCuts(const Partners& partners, const RankTypes& types, bool set_by_set)
    : partners_(partners),
      types_(types),
      max_degree_(index(partners.max_degree())),
      grid_(find_guest_grid(partners)),
      known_(index(Rank{types.num_ranks()}) + 1, -1) {
  if (set_by_set && types.num_ranks() <= SmallGuestCuts::max_ranks) small_.emplace(partners);
}

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

double GuestCuts::connectivity() {
  if (!connectivity_) connectivity_ = grid_ ? 0 : least_connectivity(partners_);
  return *connectivity_;
}

double GuestCuts::by_connectivity(int ranks) {
  const double all = num_ranks();
  return connectivity() * ranks * (1 - ranks / all) * (1 - 1e-12);
}

double GuestCuts::least(int ranks) {
  const int others = num_ranks() - ranks;
  if (ranks <= 0 || others <= 0) return 0;
  double& known = known_[static_cast<std::size_t>(std::min(ranks, others))];
  if (known < 0 && small_)
    known = small_->least(ranks);
  else if (known < 0)
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

double GuestCuts::least_one_way(int fewest, int most) {
  if (!small_) return least_between(fewest, most) / 2;
  if (fewest <= 0 || most >= num_ranks()) return 0;
  double result = std::numeric_limits<double>::infinity();
  for (int ranks = fewest; ranks <= most; ++ranks)
    result = std::min(result, small_->least_one_way(ranks));
  return result;
}

GuestCuts::OneSet GuestCuts::least_of_greatest(int fewest, int most) {
  const auto kept = static_cast<std::size_t>(std::max(0, most - 1));
  double greatest = 0;
  for (const RankType& type : types_.types) greatest = std::max(greatest, type.without(kept));
  if (!small_) return {greatest, greatest / 2, 0};
  const auto parted = small_->least_parted(fewest, most);
  return {greatest, parted.most_one_way, parted.most_sent};
}

const TreePacking& GuestCuts::trees(int most) {
  const auto [at, is_new] = trees_.try_emplace(most);
  if (is_new && !grid_ && most > 1 && most <= max_tree_set && num_ranks() <= max_tree_ranks)
    at->second = pack_trees(partners_, outside_of_set(most));
  return at->second;
}

/// For sets of one rank other arguments are exact.
double GuestCuts::by_graph(int most) {
  if (most < 2 || most >= num_ranks() || num_ranks() > max_forest_ranks) return 0;
  return 2 * std::max(trees(most).value, least_across_forests(partners_, most));
}

double GuestCuts::least_sum(int fewest, int most) {
  if (small_) return small_->least_parted(fewest, most).sum;
  const int all = num_ranks();
  if (most >= all && fewest < all) most = all;
  const auto kept = static_cast<std::size_t>(std::max(0, most - 1));
  double sum = 0;
  for (const RankType& type : types_.types) sum += type.without(kept) * type.ranks;
  sum = std::max(sum, by_graph(most));
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
