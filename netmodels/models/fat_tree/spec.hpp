#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// What joins level l and level l+1 of a fat tree; hosts are level 0.
struct FatTreeLevel {
  int children = 1;      ///< m: switches (or hosts) of level l below each switch of level l+1
  int parents = 1;       ///< w: switches of level l+1 above each switch (or host) of level l
  int cables = 1;        ///< p: parallel cables between such a pair
  LinkRates rates = {};  ///< of each cable; else the defaults
};

/// How a fat tree chooses between parallel cables on the way down.
enum class DownCables {
  simgrid,  ///< as SimGrid 3.32: from cable (source modulo cables) on, by a search with a memory
  dmodk,    ///< the cable by which D-mod-k leads up from the destination: shifts do not collide
};

/// Parallel generalised fat tree PGFT(h; m; w; p) of Zahavi ("D-Mod-K Routing Providing
/// Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010), leaf level first.
struct FatTreeSpec {
  std::vector<FatTreeLevel> levels;       ///< from the hosts up
  NetworkDefaults defaults;               ///< rates of links and names of hosts
  RoutingOptions routing = {};            ///< rule that chooses among routes
  DownCables down = DownCables::simgrid;  ///< choice between parallel cables
};

}  // namespace vtopo::detail
