#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

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

}  // namespace vtopo::detail
