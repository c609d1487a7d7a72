#pragma once

#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo::tests {

/// Every host of the network with so many slots.
inline Allocation all_hosts(const Network& network, int slots = 1) {
  return whole_machine(network, slots);
}

/// Hosts 0 to `count` - 1.
inline std::vector<HostId> first_hosts(int count) {
  std::vector<HostId> hosts;
  for (int h = 0; h < count; ++h) hosts.push_back(HostId{h});
  return hosts;
}

/// Each rank on the host of its number.
inline Embedding one_per_host(int ranks) {
  return embedding_on(first_hosts(ranks));
}

/// Hosts as plain numbers, in their order.
inline std::vector<int> numbers_of(std::span<const HostId> hosts) {
  std::vector<int> numbers;
  for (const HostId host : hosts) numbers.push_back(number(host));
  return numbers;
}

}  // namespace vtopo::tests
