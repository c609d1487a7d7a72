#pragma once

#include <memory>

#include "netmodels/models/hyperx/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

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
