#include "sim/mapping/grids/host_radices.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/mapping/grids/host_grid.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Hosts that stay together in what follows.
using Bundle = std::vector<HostId>;

/// Largest divisor of `wanted` of which bundles can be made that many times in the groups.
int bundle_size(const std::vector<std::vector<Bundle>>& groups, int wanted) {
  for (int size = wanted; size > 1; --size) {
    if (wanted % size != 0) continue;
    std::int64_t bundles = 0;
    for (const auto& group : groups) bundles += int_size(group) / size;
    if (bundles >= wanted / size) return size;
  }
  return 1;
}

/// Bundles of each group of a level.
std::vector<std::vector<Bundle>> grouped(std::vector<Bundle> bundles, std::int64_t hosts) {
  std::vector<std::vector<Bundle>> groups;
  std::int64_t last = -1;
  for (Bundle& bundle : bundles) {
    const std::int64_t group = number(bundle.front()) / hosts;
    if (group != last) groups.emplace_back();
    last = group;
    groups.back().push_back(std::move(bundle));
  }
  return groups;
}

std::vector<HostId> repeated(const std::vector<HostId>& hosts, int slots) {
  std::vector<HostId> result;
  for (const HostId host : hosts) result.insert(result.end(), index(slots), host);
  return result;
}

/// The nested groups of the network.
HostRadices nested(const Network& network, std::vector<HostId> hosts, int slots, int wanted) {
  std::sort(hosts.begin(), hosts.end());
  std::vector<Bundle> bundles;
  bundles.reserve(hosts.size());
  for (const HostId host : hosts) bundles.push_back({host});
  HostRadices radices{{}, {slots}, true};
  auto levels = network.hierarchy();
  levels.push_back({network.num_hosts(), 0});
  for (const HostGroups& level : levels) {
    const auto groups = grouped(std::move(bundles), level.hosts);
    const int size = bundle_size(groups, wanted);
    wanted /= size;
    radices.sizes.push_back(size);
    bundles.clear();
    for (const auto& group : groups)
      for (std::size_t b = 0; b + index(size) <= group.size(); b += index(size)) {
        Bundle bundle;
        for (std::size_t i = 0; i < index(size); ++i)
          bundle.insert(bundle.end(), group[b + i].begin(), group[b + i].end());
        bundles.push_back(std::move(bundle));
      }
  }
  radices.slot_hosts = repeated(bundles.front(), slots);
  return radices;
}

}  // namespace

std::vector<HostRadices> host_radices(const Network& network, const Allocation& allocation,
                                      int ranks) {
  const auto& slots = allocation.slots;
  if (std::any_of(slots.begin(), slots.end(), [&](int s) { return s != slots.front(); })) return {};
  if (ranks % slots.front() != 0) return {};
  const int hosts = ranks / slots.front();
  std::vector<HostRadices> result;
  if (auto grid = host_grid(network, allocation); grid && int_size(grid->slot_hosts) == ranks) {
    HostRadices radices{std::move(grid->slot_hosts), {grid->capacity}, true};
    for (const HostDimension& dimension : grid->dimensions) radices.sizes.push_back(dimension.size);
    result.push_back(std::move(radices));
  } else if (!network.coordinates()) {
    result.push_back(nested(network, allocation.hosts, slots.front(), hosts));
  } else {
    std::vector<HostId> first(allocation.hosts.begin(), allocation.hosts.begin() + hosts);
    result.push_back({repeated(first, slots.front()), {slots.front(), hosts}, false});
  }
  return result;
}

}  // namespace vtopo::detail
