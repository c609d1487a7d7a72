#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/guest_bisection.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Ranks that will fill one part of the hierarchy; of a host, or of two groups.
struct RankGroup {
  std::vector<int> ranks;
  int halves[2] = {-1, -1};
};

/// What a part looks like: the ranks of a host, or the kinds of its halves. Parts of equal kinds
/// take each other's groups.
struct PartKind {
  int halves[2] = {-1, -1};
  int ranks = 0;          ///< of a single host
  std::vector<int> open;  ///< groups of this kind that are in no larger one
};

/// Two groups that could become one.
struct GroupPair {
  double weight;
  int first;
  int second;
};

/// Grouping from the hosts up, dealing from the top down.
class TreeGrouping {
 public:
  TreeGrouping(const WeightedGraph& graph, const HostHierarchy& hierarchy)
      : graph_(graph),
        parts_(hierarchy.parts),
        kind_of_(parts_.size(), -1),
        host_of_rank_(graph.weights.size()),
        group_of_(graph.weights.size(), -1) {
    for (std::size_t p = parts_.size(); p-- > 0;) classify(p);
    group_ranks();
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      if (kinds_[kind].halves[0] >= 0) join_groups(kind);
    deal(0, kinds_[static_cast<std::size_t>(kind_of_[0])].open.front());
  }

  /// Part of each rank, a single host.
  std::vector<int> hosts() && { return std::move(host_of_rank_); }

 private:
  void classify(std::size_t p) {
    const HostPart& part = parts_[p];
    if (part.ranks == 0) return;
    std::array<int, 3> key{-1, -1, part.ranks};
    if (!part.is_host()) {
      key = {kind_of_[static_cast<std::size_t>(part.halves[0])],
             kind_of_[static_cast<std::size_t>(part.halves[1])], 0};
      if (key[0] < 0 || key[1] < 0) {
        kind_of_[p] = std::max(key[0], key[1]);
        return;
      }
    }
    const auto [at, is_new] = kind_numbers_.emplace(key, int_size(kinds_));
    if (is_new) kinds_.push_back({{key[0], key[1]}, key[2], {}}), needed_.push_back(0);
    kind_of_[p] = at->second;
    ++needed_[static_cast<std::size_t>(at->second)];
  }

  int add_group(RankGroup group, std::size_t kind) {
    for (const int rank : group.ranks)
      group_of_[static_cast<std::size_t>(rank)] = int_size(groups_);
    kinds_[kind].open.push_back(int_size(groups_));
    groups_.push_back(std::move(group));
    return int_size(groups_) - 1;
  }

  /// Ranks of each host, large hosts first: the heaviest rank left and always the one that
  /// exchanges most with its group.
  void group_ranks() {
    std::vector<std::pair<double, int>> heaviest;
    for (int r = 0; r < graph_.num_vertices(); ++r) {
      double volume = 0;
      for (const WeightedArc& arc : graph_.of(r)) volume += arc.weight;
      heaviest.emplace_back(-volume, r);
    }
    std::sort(heaviest.begin(), heaviest.end());
    std::vector<std::pair<int, std::size_t>> hosts;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      if (kinds_[kind].halves[0] < 0)
        hosts.insert(hosts.end(), static_cast<std::size_t>(needed_[kind]),
                     {-kinds_[kind].ranks, kind});
    std::sort(hosts.begin(), hosts.end());
    std::size_t next = 0;
    for (const auto& [minus_size, kind] : hosts) {
      while (is_grouped(heaviest[next].second)) ++next;
      add_group(grow(heaviest[next].second, -minus_size, next, heaviest), kind);
    }
  }

  bool is_grouped(int rank) const { return group_of_[static_cast<std::size_t>(rank)] >= 0; }

  RankGroup grow(int first, int size, std::size_t next,
                 const std::vector<std::pair<double, int>>& heaviest) {
    std::map<int, double> strengths;
    std::priority_queue<std::pair<double, int>> queue;  // the newest entry of a rank is its largest
    RankGroup group;
    queue.emplace(0, -first);
    while (int_size(group.ranks) < size) {
      while (queue.empty()) {
        const int rank = heaviest[next++].second;
        if (!is_grouped(rank)) queue.emplace(0, -rank);
      }
      const int rank = -queue.top().second;
      queue.pop();
      if (is_grouped(rank)) continue;
      group.ranks.push_back(rank);
      group_of_[static_cast<std::size_t>(rank)] = int_size(groups_);
      for (const WeightedArc& arc : graph_.of(rank))
        if (!is_grouped(arc.target))
          queue.emplace(strengths[arc.target] += arc.weight, -arc.target);
    }
    return group;
  }

  /// Open groups of the two kinds, heaviest traffic between them first.
  std::vector<GroupPair> pairs(const PartKind& kind) const {
    std::vector<GroupPair> result;
    const auto& firsts = kinds_[static_cast<std::size_t>(kind.halves[0])].open;
    const auto& seconds = kinds_[static_cast<std::size_t>(kind.halves[1])].open;
    std::vector<bool> is_second(groups_.size(), false);
    for (const int group : seconds) is_second[static_cast<std::size_t>(group)] = true;
    for (const int group : firsts) {
      std::map<int, double> weights;
      for (const int rank : groups_[static_cast<std::size_t>(group)].ranks)
        for (const WeightedArc& arc : graph_.of(rank))
          weights[group_of_[static_cast<std::size_t>(arc.target)]] += arc.weight;
      for (const auto& [other, weight] : weights)
        if (other != group && is_second[static_cast<std::size_t>(other)])
          result.push_back({weight, group, other});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const GroupPair& a, const GroupPair& b) { return a.weight > b.weight; });
    return result;
  }

  /// As many groups of a kind as there are parts: the heaviest pairs, then any.
  void join_groups(std::size_t kind) {
    const PartKind wanted = kinds_[kind];
    auto& firsts = kinds_[static_cast<std::size_t>(wanted.halves[0])].open;
    auto& seconds = kinds_[static_cast<std::size_t>(wanted.halves[1])].open;
    const auto candidates = pairs(wanted);
    std::vector<bool> used(groups_.size(), false);
    std::vector<std::pair<int, int>> joined;
    const auto join = [&](int first, int second) {
      if (int_size(joined) == needed_[kind] || first == second) return;
      if (used[static_cast<std::size_t>(first)] || used[static_cast<std::size_t>(second)]) return;
      used[static_cast<std::size_t>(first)] = used[static_cast<std::size_t>(second)] = true;
      joined.emplace_back(first, second);
    };
    for (const GroupPair& pair : candidates) join(pair.first, pair.second);
    std::size_t s = 0;
    for (const int first : firsts) {
      if (used[static_cast<std::size_t>(first)]) continue;
      while (s < seconds.size() &&
             (used[static_cast<std::size_t>(seconds[s])] || seconds[s] == first))
        ++s;
      if (s < seconds.size()) join(first, seconds[s]);
    }
    for (auto* open : {&firsts, &seconds})
      open->erase(std::remove_if(open->begin(), open->end(),
                                 [&](int g) { return used[static_cast<std::size_t>(g)]; }),
                  open->end());
    for (const auto& [first, second] : joined) {
      RankGroup group{groups_[static_cast<std::size_t>(first)].ranks, {first, second}};
      const auto& more = groups_[static_cast<std::size_t>(second)].ranks;
      group.ranks.insert(group.ranks.end(), more.begin(), more.end());
      add_group(std::move(group), kind);
    }
  }

  void deal(int at, int group) {
    const HostPart& part = parts_[static_cast<std::size_t>(at)];
    const RankGroup& ranks = groups_[static_cast<std::size_t>(group)];
    if (part.is_host()) {
      for (const int rank : ranks.ranks) host_of_rank_[static_cast<std::size_t>(rank)] = at;
      return;
    }
    const auto is_empty = [&](int half) {
      return parts_[static_cast<std::size_t>(half)].ranks == 0;
    };
    for (const int side : {0, 1}) {
      if (is_empty(part.halves[side])) continue;
      const bool whole = is_empty(part.halves[1 - side]);
      deal(part.halves[side], whole ? group : ranks.halves[side]);
    }
  }

  const WeightedGraph& graph_;
  const std::vector<HostPart>& parts_;
  std::map<std::array<int, 3>, int> kind_numbers_;
  std::vector<PartKind> kinds_;  ///< halves before the whole
  std::vector<int> needed_;      ///< parts of each kind
  std::vector<int> kind_of_;     ///< one entry per part; -1: no ranks
  std::vector<RankGroup> groups_;
  std::vector<int> host_of_rank_;
  std::vector<int> group_of_;  ///< largest group of each rank
};

Embedding map_tree_grouping(const MappingProblem& problem, const SearchControl&) {
  const int num_ranks = problem.guest.num_ranks();
  if (num_ranks == 0) return {{}, problem.allocation};
  const Partners partners(problem.guest);
  const HopTable table(problem.network, problem.allocation);
  const HostHierarchy hierarchy =
      host_hierarchy(problem.network, problem.allocation, table, num_ranks);
  const WeightedGraph graph = guest_graph(partners);
  return hierarchy.embedding(TreeGrouping(graph, hierarchy).hosts(), problem.allocation);
}

}  // namespace

/// Groups from the bottom up: ranks for each host, then pairs of groups for each part of the
/// machine, those that exchange most first; works for hosts with unequal slots. E. Jeannot, G.
/// Mercier and F. Tessier, "Process Placement in Multicore Clusters: Algorithmic Issues and
/// Practical Techniques" (TPDS 2014), with levels of many children taken in steps of two.
MapperInfo tree_grouping() {
  return {.name = "tree_grouping",
          .summary = "joins ranks, then groups of ranks, that exchange most, from the hosts up",
          .reference = "Jeannot, Mercier and Tessier, TPDS 2014",
          .map = map_tree_grouping,
          .work = {.microseconds_per_rank = 0.3,
                   .microseconds_per_edge = 0.05,
                   .nanoseconds_per_pair = 0.02}};
}

}  // namespace vtopo::detail::mappers
