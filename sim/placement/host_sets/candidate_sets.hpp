#pragma once

#include <vector>

#include "sim/placement/host_sets/free_hosts.hpp"

namespace vtopo::detail {

/// Runs of the free hosts in their order, at most `most`, evenly spread.
std::vector<HostSet> consecutive_sets(const FreeHosts& from, int most);

/// Hosts of boxes of routers, where these form a grid (`Network::coordinates`): boxes that no
/// smaller one could stand for, those with the shortest sides first, each at up to four origins at
/// which enough of its hosts are free. At most `most`.
std::vector<HostSet> box_sets(const FreeHosts& from, int most);

/// Hosts of the parts of the machine (`Network::parts`), of each kind: one part that has room, the
/// fewest parts, parts that follow each other, and as many from each of 2, 4, 8, ... parts. At most
/// about `most` of each kind.
std::vector<HostSet> part_sets(const FreeHosts& from, int most);

/// Sets that grow from a host, up to `seeds` of them evenly spread: the hosts nearest to it, and
/// always the host with the fewest hops to those that are in.
std::vector<HostSet> grown_sets(const FreeHosts& from, int seeds);

}  // namespace vtopo::detail
