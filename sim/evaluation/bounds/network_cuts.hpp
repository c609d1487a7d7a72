#pragma once

#include <cstdint>
#include <string>
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

/// Links between some hosts and all others.
struct NetworkCut {
  std::int64_t slots = 0;   ///< of the allocated hosts on one side
  BytesPerSecond capacity;  ///< both ways; infinite if one of the links is a fatpipe
  BytesPerSecond one_way;   ///< the greater of both ways
};

/// Cuts of one kind. Any route between the two sides of a cut takes one of its links.
struct CutFamily {
  std::string name;
  std::vector<NetworkCut> cuts;
  bool disjoint = false;  ///< the sides are disjoint and hold all hosts
  /// Hops that a crossing counts: summed over all families and cuts no link has more than 1. 0 if a
  /// link between the sides is not a hop.
  double hops = 0;
};

/// The cuts that the network names (`Network::cuts`): each of its cells, or runs of them; none
/// where the sides of some links are not known. Links that are not used carry nothing.
std::vector<CutFamily> network_cuts(const Network& network, const Allocation& allocation,
                                    const UsedLinks& used);

}  // namespace vtopo::detail
