#pragma once

#include "netmodels/endpoints/endpoint_ids.hpp"

namespace vtopo::detail {

/// What a network with endpoints knows by what the inner one does, all but description, links,
/// diameter and bisection. What is given must outlive the facts.
/// @param same_hops whether the distances of nodes are those of the inner network.
NetworkFacts endpoint_facts(const Network& inner, const EndpointIds& ids,
                            const EndpointSpec& endpoints, bool same_hops);

/// Whether a byte from every host to every other one, over all shortest paths, fills the bisection:
/// then no set of hosts is cut off by less in proportion to the pairs between it and the others.
/// False also where that would take too long to look at.
bool is_filled_by_uniform_traffic(const Network& network, const Bisection& bisection);

}  // namespace vtopo::detail
