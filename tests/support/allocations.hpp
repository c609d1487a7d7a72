#pragma once

#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"

namespace vtopo::tests {

/// Every host of the network with so many slots.
inline Allocation all_hosts(const Network& network, int slots = 1) {
  return make_allocation(network, "all", std::vector{slots}, 1);
}

/// Hosts as plain numbers, in their order.
inline std::vector<int> numbers_of(std::span<const HostId> hosts) {
  std::vector<int> numbers;
  for (const HostId host : hosts) numbers.push_back(number(host));
  return numbers;
}

}  // namespace vtopo::tests
