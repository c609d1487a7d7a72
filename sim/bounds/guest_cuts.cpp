#include "sim/bounds/guest_cuts.hpp"

#include <algorithm>
#include <bit>
#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "sim/bounds/spectrum.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::uint64_t hash(const std::vector<double>& volumes) {
  std::uint64_t value = 14695981039346656037U;
  for (const double volume : volumes)
    value = std::rotl(value ^ std::bit_cast<std::uint64_t>(volume), 23) * 0x9E3779B97F4A7C15U;
  return value;
}

void add_sums(RankType& type) {
  type.sums.push_back(0);
  for (const double volume : type.volumes) type.sums.push_back(type.sums.back() + volume);
}

}  // namespace

RankTypes rank_types(const Partners& partners) {
  RankTypes result;
  std::unordered_multimap<std::uint64_t, int> known;  // only looked up: its order is nowhere seen
  std::vector<double> volumes;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    volumes.clear();
    for (const Partner& partner : partners.of(Rank{r})) volumes.push_back(partner.both().value);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    const std::uint64_t key = hash(volumes);
    int type = -1;
    for (auto [at, end] = known.equal_range(key); at != end; ++at)
      if (result.types[index(at->second)].volumes == volumes) type = at->second;
    if (type < 0) {
      type = int_size(result.types);
      known.emplace(key, type);
      result.types.push_back({volumes, {}, 0});
      add_sums(result.types.back());
    }
    ++result.types[index(type)].ranks;
    result.type_of.push_back(type);
  }
  return result;
}

namespace {

/// Whole numbers are added up and taken off again without rounding.
double error_of_sums(const Partners& partners) {
  double sum = 0;
  bool whole = true;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      sum += partner.sent.value;
      whole = whole && std::trunc(partner.sent.value) == partner.sent.value;
    }
  return whole && sum < 0x1p53 ? 0 : 1e-13 * sum;
}

}  // namespace

SmallGuestCuts::SmallGuestCuts(const Partners& partners)
    : ranks_(partners.num_ranks()),
      sent_(std::size_t{1} << ranks_, 0),
      received_(sent_),
      least_(static_cast<std::size_t>(ranks_) + 1, std::numeric_limits<double>::infinity()),
      one_way_(least_) {
  const double error = error_of_sums(partners);
  for (unsigned set = 1; set < sent_.size(); ++set) {
    const auto last = static_cast<int>(std::bit_width(set)) - 1;
    const unsigned others = set ^ 1U << last;
    double sent = sent_[others], received = received_[others];
    for (const Partner& partner : partners.of(Rank{last})) {
      const bool inside = (others >> number(partner.rank) & 1U) != 0;
      sent += inside ? -partner.received.value : partner.sent.value;
      received += inside ? -partner.sent.value : partner.received.value;
    }
    sent_[set] = sent;
    received_[set] = received;
  }
  for (std::vector<double>* const volumes : {&sent_, &received_})
    for (double& volume : *volumes) volume = std::max(0.0, volume - error);
  for (unsigned set = 0; set < sent_.size(); ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    least_[size] = std::min(least_[size], sent_[set] + received_[set]);
    one_way_[size] = std::min(one_way_[size], std::max(sent_[set], received_[set]));
  }
}

/// Set by set of what is parted: the part that holds its first rank is tried in all ways.
SmallGuestCuts::Parted SmallGuestCuts::least_parted(int fewest, int most) const {
  constexpr double unreachable = std::numeric_limits<double>::infinity();
  std::vector<Parted> best(sent_.size(), {unreachable, unreachable, unreachable});
  best[0] = {};
  for (unsigned set = 1; set < sent_.size(); ++set) {
    const unsigned first = set & (~set + 1), others = set ^ first;
    for (unsigned part = others;; part = (part - 1) & others) {
      const unsigned own = part | first;
      const int size = std::popcount(own);
      if (size >= fewest && size <= most) {
        const Parted& rest = best[set ^ own];
        const double sent = sent_[own], received = received_[own];
        Parted& here = best[set];
        here.sum = std::min(here.sum, rest.sum + sent + received);
        here.most_one_way =
            std::min(here.most_one_way, std::max({rest.most_one_way, sent, received}));
        here.most_sent = std::min(here.most_sent, std::max(rest.most_sent, sent));
      }
      if (part == 0) break;
    }
  }
  const Parted& all = best.back();
  return all.sum < unreachable ? all : Parted();
}

namespace {

/// Beyond so many forests little is left.
constexpr int max_forests = 8;

struct ForestEdge {
  double volume;
  int low, high;
};

/// What one forest loses; its edges are taken out of `edges`, heaviest first.
double take_forest(std::vector<ForestEdge>& edges, int ranks, int most) {
  boost::disjoint_sets_with_storage<> trees(static_cast<std::size_t>(ranks));
  const auto tree_of = [&](int rank) { return trees.find_set(static_cast<std::size_t>(rank)); };
  std::vector<ForestEdge> rest, forest;
  for (const ForestEdge& edge : edges) {
    const std::size_t low = tree_of(edge.low), high = tree_of(edge.high);
    (low == high ? rest : forest).push_back(edge);
    if (low != high) trees.link(low, high);
  }
  std::vector<int> losses(static_cast<std::size_t>(ranks), 0);  // first ranks, then edges, of each
  for (int rank = 0; rank < ranks; ++rank) ++losses[tree_of(rank)];
  for (int& loss : losses) loss = (std::max(loss, 1) - 1) / most;
  double lost = 0;
  for (auto edge = forest.rbegin(); edge != forest.rend(); ++edge)
    if (losses[tree_of(edge->low)]-- > 0) lost += edge->volume;
  edges = std::move(rest);
  return lost;
}

}  // namespace

double least_across_forests(const Partners& partners, int most) {
  const int ranks = partners.num_ranks();
  if (most < 1 || ranks < 2) return 0;
  std::vector<ForestEdge> edges;
  for (int r = 0; r < ranks; ++r)
    for (const Partner& partner : partners.of(Rank{r}))
      if (partner.rank > Rank{r}) edges.push_back({partner.both().value, r, number(partner.rank)});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const ForestEdge& a, const ForestEdge& b) { return a.volume > b.volume; });
  double sum = 0;
  for (int forest = 0; forest < max_forests && !edges.empty(); ++forest)
    sum += take_forest(edges, ranks, most);
  return sum;
}

namespace {

/// Numbers of types and of sizes that are looked at, in all: a few seconds would be too many.
constexpr double max_work = 2e7;
constexpr int max_sizes = 1 << 14;

/// Where trees are listed as evidence, those of larger sets would be too long.
constexpr int max_listed_set = 128;
/// Above, trees and forests take too long.
constexpr int max_forest_ranks = 1 << 16;

/// Sets of at most `most` ranks: of a rank and k others so many are in other sets.
std::vector<double> outside_of_set(int most, int ranks) {
  std::vector<double> reach;
  for (int others = 0; others < std::min(ranks, std::max(64, 4 * most) + 1); ++others)
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
  if (!small_) return {greatest / 2, 0};
  const auto parted = small_->least_parted(fewest, most);
  return {parted.most_one_way, parted.most_sent};
}

std::vector<double> GuestCuts::beyond(int most) const {
  std::vector<double> volumes;
  for (const RankType& type : types_.types)
    volumes.insert(volumes.end(), index(type.ranks), type.without(index(std::max(0, most - 1))));
  std::sort(volumes.begin(), volumes.end(), std::greater<>());
  return volumes;
}

const TreePacking& GuestCuts::trees(int most) {
  const auto [at, is_new] = trees_.try_emplace(most);
  const bool fits = most <= max_listed_set || num_ranks() > max_tree_ranks;
  if (is_new && !grid_ && most > 1 && fits && num_ranks() <= max_forest_ranks)
    at->second = pack_trees(partners_, outside_of_set(most, num_ranks()));
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
