#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

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

/// Torus or mesh. Routes under `Routing::simgrid` are those of SimGrid: dimension order, dimension
/// 0 first, the shorter way around; at exactly half a ring the positive way, unless the source
/// coordinate is size/2 (then negative). A wrapping dimension of size 2 has two cables and these
/// routes use only the first, as in SimGrid. `automatic` goes at half a ring in positive direction
/// from even coordinates and in negative direction from odd ones, so that exchanges between
/// partners half a ring away load both directions evenly; on grids where that makes no other routes
/// the rule is `simgrid`. `positive` takes the positive way at half a ring from
/// everywhere, `split` sends half of the flow each way, `ecmp` splits at each router over all links
/// of shortest routes, `valiant` takes two legs of SimGrid's routes by way of a router drawn from
/// all (traffic between hosts of one router stays there); `append_route` gives SimGrid's route also
/// for the last three.
/// A torus with a twist routes as `TwistedRoutes` says and has no coordinates.
/// Link ids: dimension after dimension, then the cables of the hosts if a router has several.
/// @throws UsageError if a size or `hosts_per_router` is < 1, a bandwidth is not finite and > 0, a
/// latency not finite and >= 0, the twist is as `TorusSpec` does not say, or hosts, routers or
/// links exceed 2^31-1.
std::shared_ptr<const Network> make_torus(const TorusSpec& spec);

/// What a specification says: sizes as `8x8x4m` or SimGrid's `8,8,4`, and keys.
/// @param wraps whether dimensions do that are not marked `m`.
/// @throws UsageError that names the value, the specification and what is accepted.
TorusSpec parse_torus(const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing, bool wraps);

}  // namespace vtopo::detail
