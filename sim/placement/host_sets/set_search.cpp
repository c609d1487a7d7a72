#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "sim/placement/embedding.hpp"
#include "sim/placement/host_sets/host_sets.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

FreeHosts make_free_hosts(const Network& network, const Allocation& free, int ranks) {
  check_fit(ranks, free);
  std::vector<int> order(free.hosts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return free.hosts[index(a)] < free.hosts[index(b)]; });
  FreeHosts result{network, {}, ranks};
  for (const int position : order) {
    result.free.hosts.push_back(free.hosts[index(position)]);
    result.free.slots.push_back(free.slots[index(position)]);
  }
  return result;
}

std::optional<HostSet> take_hosts(const FreeHosts& from, std::span<const int> order) {
  HostSet set;
  std::int64_t slots = 0;
  for (const int position : order) {
    set.push_back(position);
    slots += from.slots(position);
    if (slots < from.ranks) continue;
    std::sort(set.begin(), set.end());
    return set;
  }
  return std::nullopt;
}

bool has_room(const FreeHosts& from, const HostSet& set) {
  std::int64_t slots = 0;
  for (const int position : set) slots += from.slots(position);
  return slots >= from.ranks;
}

Allocation allocation_of(const FreeHosts& from, const HostSet& set) {
  Allocation allocation;
  for (const int position : set) {
    allocation.hosts.push_back(from.host(position));
    allocation.slots.push_back(from.slots(position));
  }
  return allocation;
}

namespace {

std::vector<int> all_positions(const FreeHosts& from) {
  std::vector<int> positions(index(from.size()));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

std::int64_t slots_of(const FreeHosts& from, const std::vector<int>& positions) {
  std::int64_t slots = 0;
  for (const int position : positions) slots += from.slots(position);
  return slots;
}

/// Free positions in runs of consecutive host numbers.
std::vector<std::vector<int>> consecutive_runs(const FreeHosts& from) {
  std::vector<std::vector<int>> runs;
  for (int p = 0; p < from.size(); ++p) {
    if (p == 0 || number(from.host(p)) != number(from.host(p - 1)) + 1) runs.emplace_back();
    runs.back().push_back(p);
  }
  return runs;
}

/// The bin with the fewest slots that suffice; nothing if none does.
std::optional<HostSet> best_fit(const FreeHosts& from, const std::vector<std::vector<int>>& bins) {
  const std::vector<int>* best = nullptr;
  for (const auto& bin : bins)
    if (slots_of(from, bin) >= from.ranks &&
        (best == nullptr || slots_of(from, bin) < slots_of(from, *best)))
      best = &bin;
  if (best == nullptr) return std::nullopt;
  return take_hosts(from, *best);
}

/// Bins with the most slots first.
HostSet fullest_first(const FreeHosts& from, std::vector<std::vector<int>> bins) {
  std::stable_sort(bins.begin(), bins.end(), [&](const auto& a, const auto& b) {
    return slots_of(from, a) > slots_of(from, b);
  });
  std::vector<int> order;
  for (const auto& bin : bins) order.insert(order.end(), bin.begin(), bin.end());
  return *take_hosts(from, order);
}

}  // namespace

std::vector<std::vector<int>> free_by_part(const FreeHosts& from, const HostPartition& parts) {
  std::vector<std::vector<int>> bins(index(parts.count));
  for (int p = 0; p < from.size(); ++p)
    bins[index(parts.part_of[index(from.host(p))])].push_back(p);
  return bins;
}

HostSet first_hosts(const FreeHosts& from) {
  return *take_hosts(from, all_positions(from));
}

HostSet random_hosts(const FreeHosts& from, std::uint64_t seed) {
  std::vector<int> order = all_positions(from);
  Random random(seed);
  shuffle(std::span(order), random);
  return *take_hosts(from, order);
}

HostSet scheduled_hosts(const FreeHosts& from) {
  std::vector<std::vector<std::vector<int>>> kinds;
  for (const HostParts& parts : from.network.parts())
    if (!parts.by_dimension) kinds.push_back(free_by_part(from, parts.partitions.front()));
  if (kinds.empty()) kinds.push_back(consecutive_runs(from));
  // the most parts are the smallest ones
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const auto& bins : kinds)
    if (auto set = best_fit(from, bins)) return *set;
  return fullest_first(from, kinds.front());
}

namespace {

constexpr std::size_t kept_sets = 8;
constexpr std::int64_t most_of_every_set = 2000000;
/// Of the budget for sets that are made, before any is improved.
constexpr double made_share = 0.5;
/// Hosts that a random change exchanges.
constexpr int changed_hosts = 3;

class SetSearch {
 public:
  SetSearch(const FreeHosts& from, const SetEvaluation& evaluate, const SetSearchBudget& budget,
            const Progress& progress)
      : from_(from),
        evaluate_(evaluate),
        budget_(budget),
        progress_(progress),
        random_(budget.seed) {}

  void try_every_set(std::int64_t sets) {
    result_.complete = true;
    HostSet set = first_hosts(from_);
    const auto n = set.size();
    do {
      add(set, "every set", sets);
    } while (next_set(set, n));
  }

  void try_made_sets() {
    const int most = narrow<int>(std::clamp<std::int64_t>(budget_.sets / 8, 4, 256));
    add(first_hosts(from_), "first", budget_.sets);
    add(scheduled_hosts(from_), "scheduler", budget_.sets);
    add_all(box_sets(from_, most), "box");
    add_all(part_sets(from_, most / 4 + 1), "part");
    add_all(grown_sets(from_, most / 2), "grown");
    add_all(consecutive_sets(from_, most), "consecutive");
  }

  void improve() {
    const std::size_t starts = std::min(kept_sets, found_.size());
    const auto from_made = found_;
    for (std::size_t i = 0; i < starts && has_budget(); ++i) descend(from_made[i]);
    while (has_budget() && from_.size() > int_size(found_.front().hosts)) {
      // sets around the best one, and now and then around one that is nearly as good
      const std::size_t start = random_.below(2) == 0 ? 0 : random_.below(found_.size());
      descend(changed(found_[start]));
    }
  }

  SetSearchResult take() {
    result_.best = std::move(found_);
    return std::move(result_);
  }

 private:
  bool has_budget() const { return result_.tried < budget_.sets; }

  static bool next_in(HostSet& set, std::size_t n, int size) {
    for (std::size_t i = n; i-- > 0;) {
      if (set[i] >= size - static_cast<int>(n - i)) continue;
      ++set[i];
      for (std::size_t j = i + 1; j < n; ++j) set[j] = set[j - 1] + 1;
      return true;
    }
    return false;
  }
  bool next_set(HostSet& set, std::size_t n) const { return next_in(set, n, from_.size()); }

  void add_all(const std::vector<HostSet>& sets, const std::string& origin) {
    const auto most = static_cast<std::int64_t>(made_share * static_cast<double>(budget_.sets));
    for (const HostSet& set : sets)
      if (result_.tried < most) add(set, origin, budget_.sets);
  }

  /// The set if it is new and worth being known.
  std::optional<FoundSet> add(const HostSet& set, const std::string& origin, std::int64_t sets) {
    if (!result_.complete && !seen_.insert(set).second) return std::nullopt;
    const bool is_full = found_.size() >= kept_sets;
    const SetCost* limit = is_full && has(origin) ? &found_[kept_sets - 1].cost : nullptr;
    ++result_.tried;
    if (progress_)
      progress_(std::min(1.0, static_cast<double>(result_.tried) / static_cast<double>(sets)));
    const auto cost = evaluate_(set, limit);
    if (!cost) return std::nullopt;
    FoundSet found{set, *cost, origin};
    keep(found);
    return found;
  }

  bool has(const std::string& origin) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const FoundSet& set) { return set.origin == origin; });
  }

  /// In front of costlier ones; behind the first eight only the best of an origin stays.
  void keep(const FoundSet& found) {
    const auto at = std::upper_bound(
        found_.begin(), found_.end(), found.cost,
        [](const SetCost& cost, const FoundSet& other) { return cost < other.cost; });
    found_.insert(at, found);
    std::set<std::string> origins;
    std::size_t i = 0;
    std::erase_if(found_, [&](const FoundSet& set) {
      return !origins.insert(set.origin).second && i++ >= kept_sets - 1;
    });
  }

  /// Exchanges a host for another one while that lowers the cost.
  void descend(FoundSet best) {
    bool has_improved = true;
    while (has_improved && has_budget()) {
      has_improved = false;
      for (const auto& [out, in] : exchanges(best.hosts)) {
        if (!has_budget()) return;
        const HostSet set = exchanged(best.hosts, out, in);
        if (!has_room(from_, set) || !seen_.insert(set).second) continue;
        ++result_.tried;
        if (progress_)
          progress_(static_cast<double>(result_.tried) / static_cast<double>(budget_.sets));
        const auto cost = evaluate_(set, &best.cost);
        if (!cost || !(*cost < best.cost)) continue;
        best = {set, *cost, "exchanged hosts"};
        keep(best);
        has_improved = true;
        break;
      }
    }
  }

  /// Pairs of a host of the set and one that is free, in random order.
  std::vector<std::pair<int, int>> exchanges(const HostSet& set) {
    std::vector<bool> in_set(index(from_.size()));
    for (const int position : set) in_set[index(position)] = true;
    std::vector<int> others;
    for (int p = 0; p < from_.size(); ++p)
      if (!in_set[index(p)]) others.push_back(p);
    std::vector<std::pair<int, int>> pairs;
    const auto all = static_cast<double>(set.size()) * static_cast<double>(others.size());
    const auto left = static_cast<double>(budget_.sets - result_.tried);
    if (all <= 4 * left) {
      for (const int out : set)
        for (const int in : others) pairs.emplace_back(out, in);
      shuffle(std::span(pairs), random_);
    } else {
      for (auto i = result_.tried; i < budget_.sets; ++i)
        pairs.emplace_back(set[random_.below(set.size())], others[random_.below(others.size())]);
    }
    return pairs;
  }

  static HostSet exchanged(HostSet set, int out, int in) {
    std::erase(set, out);
    set.insert(std::upper_bound(set.begin(), set.end(), in), in);
    return set;
  }

  FoundSet changed(const FoundSet& found) {
    for (int tries = 0; tries < 100; ++tries) {
      HostSet set = found.hosts;
      const auto changes = 1 + random_.below(changed_hosts);
      for (std::uint64_t i = 0; i < changes; ++i) {
        const auto pairs = exchanges_of_one(set);
        set = exchanged(set, pairs.first, pairs.second);
      }
      if (!has_room(from_, set)) continue;
      if (seen_.insert(set).second) {
        ++result_.tried;
        return {set, *evaluate_(set, nullptr), "exchanged hosts"};
      }
    }
    result_.tried = budget_.sets;  // what is near has been seen
    return found;
  }

  std::pair<int, int> exchanges_of_one(const HostSet& set) {
    const int out = set[random_.below(set.size())];
    for (;;) {
      const auto in = narrow<int>(random_.below(index(from_.size())));
      if (!std::binary_search(set.begin(), set.end(), in)) return {out, in};
    }
  }

  const FreeHosts& from_;
  const SetEvaluation& evaluate_;
  const SetSearchBudget& budget_;
  const Progress& progress_;
  Random random_;
  SetSearchResult result_;
  std::vector<FoundSet> found_;  ///< best first
  std::set<HostSet> seen_;
};

}  // namespace

std::optional<std::int64_t> number_of_sets(const FreeHosts& from) {
  const auto& slots = from.free.slots;
  if (std::any_of(slots.begin(), slots.end(), [&](int s) { return s != slots.front(); }))
    return std::nullopt;
  constexpr double most = 1e15;
  const int n = int_size(first_hosts(from));
  double sets = 1;
  for (int i = 1; i <= n; ++i) {
    sets = sets * (from.size() - n + i) / i;
    if (sets > most) return std::nullopt;
  }
  return std::llround(sets);
}

SetSearchResult search_host_sets(const FreeHosts& from, const SetEvaluation& evaluate,
                                 const SetSearchBudget& budget, const Progress& progress) {
  const auto sets = number_of_sets(from);
  if (budget.every_set && (!sets || *sets > most_of_every_set))
    throw UsageError(fmt::format(
        "every set of hosts: {}; accepted are at most {} sets, of hosts with equal slots",
        sets ? fmt::format("{} sets", *sets) : "too many to count, or unequal slots",
        most_of_every_set));
  SetSearch search(from, evaluate, budget, progress);
  if (budget.every_set || (sets && *sets <= budget.sets)) {
    search.try_every_set(*sets);
  } else {
    search.try_made_sets();
    search.improve();
  }
  return search.take();
}

}  // namespace vtopo::detail
