#pragma once

#include <cstdint>

namespace vtopo {

/// One level of nested groups of hosts, such as those of a switch, chassis or pod. Hosts
/// k * hosts .. (k+1) * hosts - 1 are group k, and each group consists of whole groups of the level
/// below.
struct HostGroups {
  std::int64_t hosts = 1;  ///< in each group
  int hops = 0;            ///< about, between hosts of a group that share none of a level below
};

}  // namespace vtopo
