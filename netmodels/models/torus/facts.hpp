#pragma once

#include <string>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/models/torus/twisted.hpp"

namespace vtopo::detail {

/// Specification that gives the same torus again: `torus:8x8x4m,per_router=2`, with
/// `,bandwidth=9.4GBps/4.7GBps/9.4GBps` and `,latency=...` (one value, or one per dimension) and,
/// for several hosts per router, `,host_bandwidth=...` and `,host_latency=...` where they are
/// given.
std::string torus_description(const TorusSpec& spec);

/// Adds positions, distances, parts, cuts, bisection and picture to the numbers of hosts and links.
/// What is given must outlive the facts.
/// @param twisted null without twist.
void add_torus_facts(const TorusSpec& spec, const TwistedRoutes* twisted, int diameter,
                     NetworkFacts& facts);

}  // namespace vtopo::detail
