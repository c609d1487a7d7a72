#include "sim/placement/node_places.hpp"

#include <utility>

namespace vtopo::detail {

NodeSlots::NodeSlots(const Network& network, const Allocation& allocation)
    : network_(&network), slots_(index(network.num_hosts())) {
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots_[index(allocation.hosts[i])] = allocation.slots[i];
}

NodeSlot NodeSlots::of(HostId host, int slot) const {
  HostPlace place = network_->host_place(host);
  for (int before = 1; before <= place.core.value_or(0); ++before)
    slot += width(HostId{number(host) - before});
  return {std::move(place.node), slot};
}

std::optional<HostId> NodeSlots::host(const NamedHosts& node, std::int64_t slot) const {
  for (int h = number(node.first); slot >= 0 && h < number(node.first) + node.count; ++h) {
    slot -= width(HostId{h});
    if (slot < 0) return HostId{h};
  }
  return std::nullopt;
}

std::int64_t NodeSlots::count(const NamedHosts& node) const {
  std::int64_t sum = 0;
  for (int h = number(node.first); h < number(node.first) + node.count; ++h)
    sum += width(HostId{h});
  return sum;
}

}  // namespace vtopo::detail
