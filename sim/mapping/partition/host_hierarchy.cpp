#include "sim/mapping/partition/host_hierarchy.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

HostLevels coordinates_of(const HostCoordinates& grid, const Allocation& allocation) {
  HostLevels levels{{}, true};
  std::int64_t stride = grid.hosts_per_router;
  for (const NetworkAxis& axis : grid.axes) {
    auto& row = levels.keys.emplace_back();
    for (const HostId host : allocation.hosts)
      row.push_back(narrow<int>(number(host) / stride % axis.size));
    stride *= axis.size;
  }
  return levels;
}

HostLevels groups_of(const std::vector<HostGroups>& hierarchy, const Allocation& allocation) {
  HostLevels levels;
  for (auto level = hierarchy.rbegin(); level != hierarchy.rend(); ++level) {
    auto& row = levels.keys.emplace_back();
    for (const HostId host : allocation.hosts)
      row.push_back(narrow<int>(number(host) / level->hosts));
  }
  return levels;
}

/// More groups than this are not tried: each costs a question per host.
constexpr std::size_t max_groups = 1024;

/// Groups of hosts within `hops` of the first of each; nothing if a host is in reach of two.
std::optional<std::vector<int>> groups_within(int hops, const HopTable& table) {
  std::vector<int> group(static_cast<std::size_t>(table.num_places()), -1);
  std::vector<Place> firsts;
  for (std::size_t p = 0; p < group.size(); ++p) {
    if (group[p] >= 0) continue;
    if (firsts.size() >= max_groups) return std::nullopt;
    firsts.push_back(id_at<Place>(p));
    for (std::size_t q = 0; q < group.size(); ++q) {
      if (table.hops(id_at<Place>(p), id_at<Place>(q)) > hops) continue;
      if (group[q] >= 0) return std::nullopt;
      group[q] = int_size(firsts) - 1;
    }
  }
  return group;
}

HostLevels groups_by_hops(const HopTable& table) {
  HostLevels levels;
  std::set<int> distances;
  for (int p = 0; p < table.num_places(); ++p) distances.insert(table.hops(Place{0}, Place{p}));
  for (auto at = distances.rbegin(); at != distances.rend(); ++at)
    if (*at > 0)
      if (auto groups = groups_within(*at, table)) levels.keys.push_back(std::move(*groups));
  return levels;
}

}  // namespace

HostLevels host_levels(const Network& network, const Allocation& allocation,
                       const HopTable& table) {
  if (const auto grid = network.coordinates()) return coordinates_of(*grid, allocation);
  const auto hierarchy = network.hierarchy();
  return hierarchy.empty() ? groups_by_hops(table) : groups_of(hierarchy, allocation);
}

namespace {

class HierarchyBuilder {
 public:
  HierarchyBuilder(const Network& network, const Allocation& allocation, const HopTable& table,
                   int num_ranks)
      : allocation_(allocation),
        table_(table),
        num_ranks_(num_ranks),
        levels_(host_levels(network, allocation, table)),
        keys_(allocation.hosts.size()) {
    for (std::size_t p = 0; p < keys_.size(); ++p) result_.order.push_back(id_at<Place>(p));
  }

  HostHierarchy build() {
    if (result_.order.empty()) return result_;
    result_.parts.push_back(part(0, int_size(result_.order)));
    for (std::size_t i = 0; i < result_.parts.size(); ++i) {
      const HostPart whole = result_.parts[i];
      if (whole.last - whole.first < 2) continue;
      const int middle = split(whole);
      for (const int half : {0, 1}) {
        result_.parts[i].halves[half] = int_size(result_.parts);
        result_.parts.push_back(half == 0 ? part(whole.first, middle) : part(middle, whole.last));
      }
    }
    deal_ranks();
    return std::move(result_);
  }

 private:
  std::int64_t slots(int position) const {
    const Place place = result_.order[static_cast<std::size_t>(position)];
    return std::min(allocation_.slots[index(place)], num_ranks_);
  }

  HostPart part(int first, int last) const {
    HostPart result{first, last};
    for (int i = first; i < last; ++i) result.slots += slots(i);
    return result;
  }

  /// Sorts the hosts of a part by a key.
  template <class Key>
  void sort_by(const HostPart& whole, Key&& key) {
    const auto first = result_.order.begin() + whole.first;
    const auto last = result_.order.begin() + whole.last;
    for (auto at = first; at != last; ++at) keys_[index(*at)] = key(*at);
    std::stable_sort(first, last,
                     [&](Place a, Place b) { return keys_[index(a)] < keys_[index(b)]; });
  }

  /// Position closest to half of the slots among those between different keys, or among all. If
  /// keys need not part, only changes in the middle half of the slots count.
  int middle(const HostPart& whole, bool keys_part) const {
    int best = -1;
    bool best_at_change = false;
    std::int64_t best_distance = 0;
    std::int64_t before = 0;
    for (int i = whole.first + 1; i < whole.last; ++i) {
      before += slots(i - 1);
      const std::int64_t distance = std::abs(2 * before - whole.slots);
      const bool change = key_at(i) != key_at(i - 1) && (keys_part || 2 * distance <= whole.slots);
      if (best >= 0 &&
          (best_at_change > change || (best_at_change == change && best_distance <= distance)))
        continue;
      best = i, best_at_change = change, best_distance = distance;
    }
    return best;
  }

  int key_at(int position) const {
    return keys_[index(result_.order[static_cast<std::size_t>(position)])];
  }

  int split(const HostPart& whole) {
    if (const int level = level_that_splits(whole); level >= 0) {
      const auto& keys = levels_.keys[static_cast<std::size_t>(level)];
      sort_by(whole, [&](Place place) { return keys[index(place)]; });
      return middle(whole, true);
    }
    sort_by_two_far_hosts(whole);
    return middle(whole, false);
  }

  /// The level of trees by which to split, the dimension of tori; -1 if none distinguishes hosts.
  int level_that_splits(const HostPart& whole) const {
    int longest = -1;
    int longest_extent = 0;
    for (std::size_t level = 0; level < levels_.keys.size(); ++level) {
      int low = levels_.keys[level][index(result_.order[static_cast<std::size_t>(whole.first)])];
      int high = low;
      for (int i = whole.first; i < whole.last; ++i) {
        const int key = levels_.keys[level][index(result_.order[static_cast<std::size_t>(i)])];
        low = std::min(low, key);
        high = std::max(high, key);
      }
      if (high == low) continue;
      if (!levels_.are_dimensions) return static_cast<int>(level);
      if (high - low > longest_extent)
        longest = static_cast<int>(level), longest_extent = high - low;
    }
    return longest;
  }

  Place farthest_from(Place from, const HostPart& whole) const {
    Place best = from;
    int most = -1;
    for (int i = whole.first; i < whole.last; ++i) {
      const Place place = result_.order[static_cast<std::size_t>(i)];
      const int hops = table_.hops(from, place);
      if (hops > most) best = place, most = hops;
    }
    return best;
  }

  void sort_by_two_far_hosts(const HostPart& whole) {
    const Place a = farthest_from(result_.order[static_cast<std::size_t>(whole.first)], whole);
    const Place b = farthest_from(a, whole);
    sort_by(whole, [&](Place place) { return table_.hops(a, place) - table_.hops(b, place); });
  }

  /// The ranks fill a half that is large enough, the smaller one if both are; else the larger one,
  /// and the rest goes to the other.
  void deal_ranks() {
    auto& parts = result_.parts;
    parts[0].ranks = num_ranks_;
    for (HostPart& whole : parts) {
      if (whole.is_host()) continue;
      HostPart* small = &parts[static_cast<std::size_t>(whole.halves[0])];
      HostPart* large = &parts[static_cast<std::size_t>(whole.halves[1])];
      if (small->slots >= large->slots) std::swap(small, large);
      HostPart* first = small->slots >= whole.ranks ? small : large;
      HostPart* second = first == small ? large : small;
      first->ranks = narrow<int>(std::min<std::int64_t>(whole.ranks, first->slots));
      second->ranks = whole.ranks - first->ranks;
    }
  }

  const Allocation& allocation_;
  const HopTable& table_;
  int num_ranks_;
  HostLevels levels_;
  std::vector<int> keys_;  ///< of the last sort, one entry per place
  HostHierarchy result_;
};

}  // namespace

Embedding HostHierarchy::embedding(const std::vector<int>& part_of,
                                   const Allocation& allocation) const {
  std::vector<HostId> hosts;
  hosts.reserve(part_of.size());
  for (const int part : part_of) hosts.push_back(allocation.hosts[index(place(part))]);
  return {std::move(hosts), allocation};
}

HostHierarchy host_hierarchy(const Network& network, const Allocation& allocation,
                             const HopTable& table, int num_ranks) {
  return HierarchyBuilder(network, allocation, table, num_ranks).build();
}

HostHierarchy dealt_evenly(HostHierarchy hierarchy) {
  constexpr double nearly_all = 0.9;
  auto& parts = hierarchy.parts;
  if (parts.empty() || parts[0].ranks < nearly_all * static_cast<double>(parts[0].slots))
    return hierarchy;
  for (const HostPart& whole : parts) {
    if (whole.is_host() || whole.slots == 0) continue;
    HostPart& zero = parts[static_cast<std::size_t>(whole.halves[0])];
    HostPart& one = parts[static_cast<std::size_t>(whole.halves[1])];
    const std::int64_t share = (whole.ranks * zero.slots + whole.slots / 2) / whole.slots;
    zero.ranks = narrow<int>(std::clamp(share, whole.ranks - one.slots, zero.slots));
    one.ranks = whole.ranks - zero.ranks;
  }
  return hierarchy;
}

}  // namespace vtopo::detail
