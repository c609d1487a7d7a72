#include "sim/mapping/partition/host_levels.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

using Keys = std::vector<std::vector<int>>;

/// Hosts per subtree of each level, from the top down: hosts of equal host / size share a subtree.
Keys keys_by_size(const std::vector<std::int64_t>& sizes, const Allocation& allocation) {
  Keys keys;
  for (const std::int64_t size : sizes) {
    auto& row = keys.emplace_back();
    for (const HostId host : allocation.hosts) row.push_back(narrow<int>(number(host) / size));
  }
  return keys;
}

HostLevels levels_of(const TorusSpec& torus, const Allocation& allocation, const HopTable&) {
  HostLevels levels{{}, true};
  std::int64_t stride = torus.hosts_per_router;
  for (const TorusDimension& dimension : torus.dimensions) {
    auto& row = levels.keys.emplace_back();
    for (const HostId host : allocation.hosts)
      row.push_back(narrow<int>(number(host) / stride % dimension.size));
    stride *= dimension.size;
  }
  return levels;
}

HostLevels levels_of(const FatTreeSpec& tree, const Allocation& allocation, const HopTable&) {
  std::vector<std::int64_t> sizes;
  std::int64_t size = 1;
  for (const FatTreeLevel& level : tree.levels) sizes.insert(sizes.begin(), size *= level.children);
  return {keys_by_size(sizes, allocation)};
}

HostLevels levels_of(const DragonflySpec& spec, const Allocation& allocation, const HopTable&) {
  const std::int64_t router = spec.hosts_per_blade;
  const std::int64_t chassis = router * spec.blades;
  return {keys_by_size({chassis * spec.chassis, chassis, router}, allocation)};
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

HostLevels levels_of(const std::monostate&, const Allocation&, const HopTable& table) {
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
  return std::visit([&](const auto& spec) { return levels_of(spec, allocation, table); },
                    network.shape());
}

}  // namespace vtopo
