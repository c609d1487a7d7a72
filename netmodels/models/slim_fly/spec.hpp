#pragma once

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// Slim Fly of M. Besta and T. Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology"
/// (SC14): the graphs of McKay, Miller and Siran for a prime power q = 4w + delta with delta -1, 0
/// or 1, which have 2 q^2 routers of (3q - delta) / 2 links to others.
struct SlimFlySpec {
  int q = 5;           ///< prime power, not 2 modulo 4
  int per_router = 0;  ///< hosts, each with a cable; 0: half of the links to routers, rounded up
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  LinkRates host_rates = {};    ///< between hosts and routers
  LinkRates router_rates = {};  ///< between routers
};

}  // namespace vtopo::detail
