#pragma once

#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Links that are up, count as hops and lead away from each host, as far as it is known where links
/// lead; those that are used both ways lead away from both ends. One entry per host. O(hosts +
/// links).
std::vector<std::vector<LinkId>> links_at_hosts(const Network& network);

}  // namespace vtopo::detail
