#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Hosts above which no bound looks at the routes between all of them.
constexpr int max_routed_hosts = 256;
/// The same where the network knows its cuts, which nearly always say as much at once.
constexpr int max_hosts_of_known_cuts = 32;

/// By how many links a host sends to the others of an allocation or receives.
struct HostDoors {
  int out = 0;  ///< links that a route begins with
  int in = 0;   ///< that a route ends with
};

/// All routes between the hosts of a job.
class JobRoutes;

/// Links that a job can use: of a large network few lie on routes between its hosts.
struct UsedLinks {
  std::vector<bool> used;        ///< one entry per link of the network
  std::vector<HostDoors> doors;  ///< one entry per place; empty where only `used` is known
  /// Null where flows split, two hosts have no route, or there are too many hosts to look for cuts
  /// in the routes: more than 256, or than 32 where the network knows its cuts.
  std::shared_ptr<const JobRoutes> routes = nullptr;

  bool takes(LinkId link) const { return used[index(link)]; }
};

/// All links that are up where flows split or there are more than 256 hosts, whose routes are too
/// many; then hosts have the doors that their links are.
UsedLinks find_used_links(const Network& network, const Allocation& allocation);

/// The same route by route, with the routes. @throws InputError where two hosts have none.
UsedLinks links_of_routes(const Network& network, const std::vector<HostId>& hosts);

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

/// Bandwidth of a link; infinite of a fatpipe.
BytesPerSecond cut_capacity(const LinkProperties& link);

/// Some hosts, and links that all routes between them and the other hosts take.
struct LinkCut {
  std::vector<int> places;  ///< of the hosts on one side, ascending
  std::vector<LinkId> out;  ///< each route from there to the others takes one of these
  std::vector<LinkId> in;   ///< likewise of the routes back
};

/// Pairs of cells all routes between which take one link: `pairs` has entry `from * cells + to`.
struct CellLink {
  std::vector<bool> pairs;
  BytesPerSecond bandwidth;  ///< the least of such links
};

/// Cuts of one kind.
struct LinkCuts {
  std::vector<LinkCut> cuts;
  bool disjoint = false;             ///< the sides are disjoint and hold all hosts
  std::vector<CellLink> links = {};  ///< where there are few such sides
};

/// Cuts of the graph that the routes of a job make, whatever is known of the network: hosts, sets
/// of hosts that one link parts for some other host, with the least bandwidth around each (minimum
/// cuts), and cells of such sets. None without the routes (`UsedLinks::routes`), and where a route
/// has no links.
std::vector<LinkCuts> cheapest_link_cuts(const UsedLinks& used);

/// Least time of such links over all ways to divide the ranks between the cells: what two of them
/// exchange takes all links between these cells. Branch and bound; where that takes too many steps
/// a part of the least time that was found, or 0. Within a cell only messages count whose ranks
/// cannot share a host.
/// @param known a bound: 0 is returned where a division takes no longer, and for more than 64
/// ranks.
double least_divided_time(const Partners& partners, const LinkCuts& cells,
                          const Allocation& allocation, double known);

/// A link that is in both directions' lists counts once.
CutFamily capacities_of(const LinkCuts& cuts, const Network& network, const Allocation& allocation);

/// What no traffic changes: the links of a job and the cuts between its hosts.
struct JobCuts {
  UsedLinks used;
  std::vector<CutFamily> named;     ///< by the network
  std::vector<LinkCuts> links;      ///< that its routes show
  std::vector<CutFamily> cheapest;  ///< the same with what they carry
};
JobCuts job_cuts(const Network& network, const Allocation& allocation);

/// Bounds of one of several guests of a job.
/// @throws as `vtopo::lower_bounds`.
Bounds lower_bounds(const CommGraph& guest, const Network& network, const Allocation& allocation,
                    const JobCuts& cuts, const Progress& progress = {});

}  // namespace vtopo::detail
