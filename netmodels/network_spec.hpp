#pragma once

#include <memory>
#include <string_view>

#include "netmodels/network.hpp"
#include "netmodels/network_facts.hpp"
#include "netmodels/routing.hpp"

namespace vtopo {

/// Network of a specification such as `torus:8x8x4m`: a name of the table of networks
/// (network_table.hpp), its parameters, then keys as `,bandwidth=10GBps,latency=90ns`. With the
/// same defaults, its description() makes it again.
/// @throws UsageError that names the value, the specification and what is accepted, or for numbers
/// too large for the ids, or for host names that are not as many as the hosts, each once.
std::shared_ptr<const Network> make_network(std::string_view spec, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing = {});

}  // namespace vtopo
