#include "sim/mapping/partition/host_levels.hpp"

#include <algorithm>
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

}  // namespace vtopo::detail
