#pragma once

#include <memory>
#include <string_view>

#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// Structure that a specification describes: `torus:8x8x4m`, `mesh:32x32`,
/// `fat-tree:2;4,4;1,2;1,2`, `dragonfly:9,4;6,3;16,1;4` (SimGrid's parameter strings), then keys as
/// `,bandwidth=10GBps,latency=90ns` (netmodels/README.md lists them).
/// @throws UsageError that names the value, the specification and what is accepted.
NetworkShape parse_network(std::string_view spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing = {});

/// Network of a specification. With the same defaults, its description() makes it again.
/// @throws UsageError as parse_network, or for numbers too large for the ids.
std::shared_ptr<const Network> make_network(std::string_view spec, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing = {});

}  // namespace vtopo
