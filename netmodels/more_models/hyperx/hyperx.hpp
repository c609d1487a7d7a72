#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

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

/// HyperX. Routes under `Routing::simgrid` go in dimension order, dimension 0 first, one link in
/// each dimension in which the routers differ. `ecmp` splits at each router over all dimensions
/// that are left, which is all orders of them alike; `valiant` takes two legs in dimension order by
/// way of a router drawn from all (traffic between hosts of one router stays there); `append_route`
/// gives the route in dimension order also for these. Link ids: dimension after dimension, in each
/// router after router, then by the coordinate that the link leads to; then the cables of the hosts
/// if a router has several.
/// @throws UsageError if a size, `links` or `hosts_per_router` is < 1, a rate is out of range,
/// hosts, routers or links exceed 2^31-1, or the routing rule is one of rings.
std::shared_ptr<const Network> make_hyperx(const HyperXSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
HyperXSpec parse_hyperx(const SpecText& spec, const NetworkDefaults& defaults,
                        const RoutingOptions& routing);

}  // namespace vtopo::detail
