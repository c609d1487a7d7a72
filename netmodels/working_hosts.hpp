#pragma once

#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Hosts that are up, ascending.
inline std::vector<HostId> working_hosts(const Network& network) {
  std::vector<HostId> hosts;
  hosts.reserve(index(network.num_hosts()));
  for (int h = 0; h < network.num_hosts(); ++h)
    if (network.is_up(HostId{h})) hosts.push_back(HostId{h});
  return hosts;
}

}  // namespace vtopo::detail
