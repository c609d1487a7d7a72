#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

namespace vtopo::detail {

/// How the global links of a dragonfly are laid: `simgrid` gives group j the router j modulo the
/// routers of a group; the others are those of Hastings et al., "Comparing Global Link Arrangements
/// for Dragonfly Networks" (CLUSTER 2015).
enum class GlobalArrangement { simgrid, absolute, relative, circulant };

/// Dragonfly as SimGrid describes it: groups of chassis of blades (routers) with hosts. Blades of a
/// chassis are joined all to all (green), so are the equal blades of a group's chassis (black) and
/// the groups (blue). The `*_links` multiply the bandwidth of a cable.
/// host = ((group * chassis + c) * blades + b) * hosts_per_blade + k: hosts of a blade are fastest.
struct DragonflySpec {
  int groups = 1;               ///< joined all to all by blue cables
  int blue_links = 1;           ///< bandwidth multiplier of blue cables
  int chassis = 1;              ///< per group; equal blades of them are joined all to all
  int black_links = 1;          ///< bandwidth multiplier of black cables
  int blades = 1;               ///< per chassis, joined all to all; each is a router
  int green_links = 1;          ///< bandwidth multiplier of green cables
  int hosts_per_blade = 1;      ///< each with a cable to its blade
  NetworkDefaults defaults;     ///< rates of links and names of hosts
  RoutingOptions routing = {};  ///< rule that chooses among routes
  GlobalArrangement arrangement = GlobalArrangement::simgrid;  ///< which routers global links join
  int cables_per_pair = 1;     ///< blue cables between two groups, each between routers of its own
  LinkRates host_rates = {};   ///< between hosts and blades
  LinkRates green_rates = {};  ///< within a chassis
  LinkRates black_rates = {};  ///< between chassis of a group
  LinkRates blue_rates = {};   ///< between groups
  /// Hosts of each router of each group, with one chassis: then `blades` are the most routers of
  /// any group and `hosts_per_blade` the most hosts of any router. Empty: all groups are equal.
  std::vector<std::vector<int>> hosts = {};
};

/// Dragonfly of groups of chassis of blades. Global cables lie as DragonflyArrangement says.
///
/// Routes, by `spec.routing.rule`:
/// - simgrid: minimal as Kim et al. (ISCA 2008) define it, at most one global link: green then
///   black to the gateway, blue, green then black to the destination's blade. Of several cables
///   between two groups it takes the one with the fewest local links; of k equally good ones,
///   number (destination host modulo k). These are SimGrid's routes where SimGrid's are sound.
/// - ecmp: at each router an even split over all next links of the shortest minimal routes.
/// - valiant: by way of a third group (see DragonflyValiant); `hops` stays that of the minimal
///   route.
/// Minimal is not always shortest: where the gateways of two groups to a third are neighbours, the
/// way over it, with two global links, can have fewer links (2 between routers, not 3 to 5). No
/// rule here takes it.
///
/// `spec.routing.simgrid_compatible` gives each pair the list of links that SimGrid 3.32 gives it,
/// also inside a group where it forgets the chassis that a flow started from and the list is no
/// walk; `hops` counts the links of the list.
/// @throws UsageError if a number is < 1, hosts or links exceed 2^31-1, a bandwidth or latency is
/// no possible one, the rule is one of tori, or SimGrid's list of links is asked for and SimGrid
/// has none.
std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
DragonflySpec parse_dragonfly(const SpecText& spec, const NetworkDefaults& defaults,
                              const RoutingOptions& routing);

}  // namespace vtopo::detail
