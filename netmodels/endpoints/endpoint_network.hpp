#pragma once

#include <memory>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// The network whose hosts are places inside the hosts of `inner`, or these themselves, behind
/// network interfaces: routes are those of `inner` between links out of a node and into one. Links
/// of `inner` keep their ids. Links of interfaces are not hops, those inside nodes are. `inner`
/// itself if the endpoints change nothing.
/// @throws UsageError for more hosts, links or vertices than ids can count.
std::shared_ptr<const Network> make_endpoint_network(std::shared_ptr<const Network> inner,
                                                     const EndpointSpec& endpoints);

}  // namespace vtopo::detail
