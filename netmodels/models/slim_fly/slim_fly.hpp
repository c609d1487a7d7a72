#pragma once

#include <memory>

#include "netmodels/models/slim_fly/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

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
