#include "sim/placement/allocation_for.hpp"

#include <map>

namespace vtopo::detail {

Allocation allocation_for(std::span<const HostId> hosts) {
  std::map<HostId, int> slots;
  for (const HostId host : hosts) ++slots[host];
  Allocation allocation;
  for (const auto& [host, count] : slots) {
    allocation.hosts.push_back(host);
    allocation.slots.push_back(count);
  }
  return allocation;
}

}  // namespace vtopo::detail
