#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/network_spec.hpp"

namespace vtopo {

/// Dragonfly as SimGrid describes it: groups of chassis of blades (routers) with hosts. Blades of a
/// chassis are joined all to all (green), so are the equal blades of a group's chassis (black) and
/// the groups, one cable per pair (blue). The `*_links` multiply the bandwidth of a cable.
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
};

/// Dragonfly with minimal routes: green then black to the gateway, blue, green then black to the
/// destination's blade. Group i reaches group j from its router j modulo (chassis * blades),
/// counted with blades fastest: as in SimGrid while groups <= blades, and on for any number of
/// groups. Inside a group SimGrid 3.32 forgets the chassis it started from; here every route is a
/// walk.
/// @throws UsageError if a number is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec);

}  // namespace vtopo
