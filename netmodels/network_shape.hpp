#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "netmodels/routing.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// What the links of a modelled network can carry and how its hosts are called.
struct NetworkDefaults {
  BytesPerSecond bandwidth{10e9};  ///< per direction
  Seconds latency{100e-9};         ///< per link
  std::string host_prefix = "host-";
  std::string host_suffix = "";
  int first_host_number = 0;  ///< host h is called prefix + (first_host_number + h) + suffix
};

/// What one class of links can carry; the network's defaults where nothing is given.
struct LinkRates {
  std::optional<BytesPerSecond> bandwidth;  ///< per direction
  std::optional<Seconds> latency;
};

/// One dimension of a torus or mesh network.
struct TorusDimension {
  int size = 1;
  bool wraps = true;  ///< false: mesh dimension, no link between the last and the first coordinate
  LinkRates rates = {};
};

/// Torus of any number of dimensions. The first dimension is the fastest: with one host per router,
/// host = x + a*y + a*b*z, as SimGrid numbers them.
struct TorusSpec {
  std::vector<TorusDimension> dimensions;
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  /// 1: the host is the router and has no link of its own. More: host = router * hosts_per_router +
  /// k, and each host has a cable to its router.
  int hosts_per_router = 1;
  LinkRates host_rates = {};  ///< of the cables between hosts and routers
};

/// What joins level l and level l+1 of a fat tree; hosts are level 0.
struct FatTreeLevel {
  int children = 1;  ///< m: switches (or hosts) of level l below each switch of level l+1
  int parents = 1;   ///< w: switches of level l+1 above each switch (or host) of level l
  int cables = 1;    ///< p: parallel cables between such a pair
  LinkRates rates = {};
};

/// How a fat tree chooses between parallel cables on the way down.
enum class DownCables {
  simgrid,  ///< as SimGrid 3.32: from cable (source modulo cables) on, by a search with a memory
  dmodk,    ///< the cable by which D-mod-k leads up from the destination: shifts do not collide
};

/// Parallel generalised fat tree PGFT(h; m; w; p) of Zahavi ("D-Mod-K Routing Providing
/// Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010), leaf level first.
struct FatTreeSpec {
  std::vector<FatTreeLevel> levels;
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  DownCables down = DownCables::simgrid;
};

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

/// The structure of a network that has one; none: only routes are known.
using NetworkShape = std::variant<std::monostate, TorusSpec, FatTreeSpec, DragonflySpec>;

}  // namespace vtopo
