#pragma once

#include <memory>
#include <string_view>

#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// Network of a specification: `torus:8x8x4m`, `mesh:32x32`, `fat-tree:2;4,4;1,2;1,2`,
/// `dragonfly:9,4;6,3;16,1;4` (SimGrid's parameter strings).
/// Extensions follow as `,key=value` (see netmodels/README.md).
/// @throws UsageError that names the value and what is accepted.
std::shared_ptr<const Network> make_network(std::string_view spec, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing = {});

}  // namespace vtopo
