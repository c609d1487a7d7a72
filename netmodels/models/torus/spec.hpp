#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// One dimension of a torus or mesh network.
struct TorusDimension {
  int size = 1;       ///< routers along it, >= 1
  bool wraps = true;  ///< false: mesh dimension, no link between the last and the first coordinate
  LinkRates rates = {};  ///< of its links; else the defaults
};

/// Torus of any number of dimensions. The first dimension is the fastest: with one host per router,
/// host = x + a*y + a*b*z, as SimGrid numbers them.
struct TorusSpec {
  std::vector<TorusDimension> dimensions;  ///< the first one varies fastest
  NetworkDefaults defaults;                ///< rates of links and names of hosts
  RoutingOptions routing = {};             ///< rule that chooses among routes
  /// 1: the host is the router and has no link of its own. More: host = router * hosts_per_router +
  /// k, and each host has a cable to its router.
  int hosts_per_router = 1;
  LinkRates host_rates = {};  ///< of the cables between hosts and routers
  /// 0: none. Less than the first size: the wrap of the last dimension shifts the first coordinate
  /// by as much. Otherwise, less than the last size: the wrap of the first dimension shifts the
  /// last coordinate, as k x k x 2k with twist k (J. M. Camara, M. Moreto, E. Vallejo, R. Beivide,
  /// J. Miguel-Alonso, C. Martinez, J. Navaridas, "Twisted Torus Topologies for Enhanced
  /// Interconnection Networks", IEEE Transactions on Parallel and Distributed Systems, 2010).
  int twist = 0;
};

}  // namespace vtopo::detail
