#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// One dimension of a HyperX: routers that differ in it alone are joined all to all.
struct HyperXDimension {
  int size = 1;          ///< S: routers along the dimension
  int links = 1;         ///< K: times the bandwidth of one link
  LinkRates rates = {};  ///< of one link
};

/// HyperX(L, S, K, T) of J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, "HyperX:
/// Topology, Routing, and Packaging of Efficient Large-Scale Networks" (SC09): L dimensions of
/// sizes S and relative bandwidths K, T hosts per router. The first dimension is the fastest:
/// router = x + a*y + a*b*z.
struct HyperXSpec {
  std::vector<HyperXDimension> dimensions;
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  /// T. 1: the host is the router and has no link of its own. More: host = router *
  /// hosts_per_router
  /// + k, and each host has a cable to its router.
  int hosts_per_router = 1;
  LinkRates host_rates = {};  ///< of the cables between hosts and routers
};

}  // namespace vtopo::detail
