#pragma once

#include <cstdint>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Which routes the flows of a matching take.
enum class MatchingRoutes {
  as_given,  ///< those of the network
  random,    ///< one route of those that the network splits the flow over, by their shares
};

/// Effective bisection bandwidth after T. Hoefler, T. Schneider, A. Lumsdaine, "Multistage Switches
/// are not Crossbars: Effects of Static Routing in High-Performance Networks" (CLUSTER 2008): hosts
/// that are up fall at random into two halves, each host of one half sends to a host of the other,
/// and the bandwidth of a flow is 1 / (most flows on a link of its route), where parts of flows
/// count as such. Mean over flows and matchings, of the bandwidth of a link; 1 at best.
/// @param matchings >= 1.
/// @returns 0 for fewer than two hosts; one host of an odd number is left out of each matching.
/// @throws InputError if a pair of hosts has no route, UsageError if random routes are asked for
/// and nothing is known of where links lead.
double effective_bisection(const Network& network, int matchings, std::uint64_t seed,
                           MatchingRoutes routes);

}  // namespace vtopo::detail
