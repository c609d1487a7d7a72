#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// By how many links, and how fast, a host sends to the others of an allocation or receives.
struct HostDoors {
  int out = 0;  ///< links that a route begins with
  int in = 0;   ///< that a route ends with
  BytesPerSecond out_bandwidth;
  BytesPerSecond in_bandwidth;
};

/// Links that a job can use: of a large network few lie on routes between its hosts.
struct UsedLinks {
  std::vector<bool> used;        ///< one entry per link of the network
  std::vector<HostDoors> doors;  ///< one entry per place; empty where only `used` is known

  bool takes(LinkId link) const { return used[index(link)]; }
};

/// All links that are up where flows split or there are more than 256 hosts, whose routes are too
/// many; then hosts have the doors that their links are.
UsedLinks find_used_links(const Network& network, const Allocation& allocation);

}  // namespace vtopo::detail
