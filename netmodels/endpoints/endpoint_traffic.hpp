#pragma once

#include <memory>

#include "netmodels/endpoints/endpoint_ids.hpp"
#include "netmodels/endpoints/interfaces.hpp"

namespace vtopo::detail {

/// Sums of the networks behind interfaces, and of the links of endpoints. What is given must
/// outlive it.
std::unique_ptr<LinkTraffic> make_endpoint_traffic(const Network& inner, const EndpointIds& ids,
                                                   const Interfaces& interfaces);

}  // namespace vtopo::detail
