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

}  // namespace vtopo::detail
