#pragma once

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo {

/// How the global links of a dragonfly are laid: `simgrid` gives group j the router j modulo the
/// routers of a group; the others are those of Hastings et al., "Comparing Global Link Arrangements
/// for Dragonfly Networks" (CLUSTER 2015).
enum class GlobalArrangement { simgrid, absolute, relative, circulant };

/// Dragonfly as SimGrid describes it: groups of chassis of blades (routers) with hosts. Blades of a
/// chassis are joined all to all (green), so are the equal blades of a group's chassis (black) and
/// the groups (blue). The `*_links` multiply the bandwidth of a cable.
/// host = ((group * chassis + c) * blades + b) * hosts_per_blade + k: hosts of a blade are fastest.
struct DragonflySpec {
  int groups = 1;
  int blue_links = 1;
  int chassis = 1;
  int black_links = 1;
  int blades = 1;
  int green_links = 1;
  int hosts_per_blade = 1;
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  GlobalArrangement arrangement = GlobalArrangement::simgrid;
  int cables_per_pair = 1;  ///< blue cables between two groups, each between routers of its own
  LinkRates host_rates = {};
  LinkRates green_rates = {};
  LinkRates black_rates = {};
  LinkRates blue_rates = {};
};

}  // namespace vtopo
