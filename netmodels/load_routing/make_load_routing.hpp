#pragma once

#include <functional>
#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A network under a rule for which `depends_on_traffic`, made of the same network under static
/// ones.
/// @param make the network under the static rule that it is given.
/// @throws UsageError if the network does not have the rules that are needed.
std::shared_ptr<const Network> make_traffic_routing(
    Routing rule, const std::function<std::shared_ptr<const Network>(Routing)>& make);

/// Routing ecmp in the links of any network: flows split evenly at each vertex over all next links
/// of routes with the fewest links. Pairs of hosts that no links join keep their route.
/// @throws UsageError if nothing is known of where its links lead, or if routes have links that
/// lead nowhere, such as limiters of hosts in platform files.
std::shared_ptr<const Network> split_over_shortest(std::shared_ptr<const Network> network);

}  // namespace vtopo::detail
