#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

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

/// Slim Fly. Host = router * per_router + k. Under `Routing::simgrid` a route takes the one link
/// between joined routers; others have one or several routers in common, of which number
/// (destination host modulo their number) is passed. `ecmp` splits evenly over these routers;
/// `valiant` takes two such legs by way of a router drawn from all (traffic between hosts of one
/// router stays there); `append_route` gives the same route under all rules. Links: those of hosts,
/// 2h up and 2h + 1 down, then router after router first those in its group, then those to the
/// groups of the other side.
/// @throws UsageError if q is not a prime power or 2 modulo 4, a rate is out of range, links exceed
/// 2^31-1, or the routing rule is one of rings.
std::shared_ptr<const Network> make_slim_fly(const SlimFlySpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
SlimFlySpec parse_slim_fly(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing);

}  // namespace vtopo::detail
