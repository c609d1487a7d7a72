#pragma once

#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Routing ecmp in the links of any network: flows split evenly at each vertex over all next links
/// of routes with the fewest links. Pairs of hosts that no links join keep their route.
/// @throws UsageError if nothing is known of where its links lead, or if routes have links that
/// lead nowhere, such as limiters of hosts in platform files.
std::shared_ptr<const Network> split_over_shortest(std::shared_ptr<const Network> network);

}  // namespace vtopo::detail
