#pragma once

#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail::overlay {

/// The machine of VTOPO_NETWORK or VTOPO_PLATFORM; null if neither is set.
/// @throws UsageError or InputError as the network's reader.
std::shared_ptr<const Network> network_of_environment();

}  // namespace vtopo::detail::overlay
