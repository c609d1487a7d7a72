#include "sim/placement/host_sets/free_hosts.hpp"

#include <algorithm>
#include <numeric>

#include "sim/placement/embedding.hpp"

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

}  // namespace vtopo::detail
