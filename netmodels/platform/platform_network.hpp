#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/platform/platform.hpp"
#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail {

/// Network of a platform whose routes SimGrid computes in a child process; internal to this room.
/// @throws InputError with SimGrid's words if it does not accept the file, SimulationError if
/// loading takes more than its limits.
std::shared_ptr<const Network> make_platform_network(const PlatformFile& file,
                                                     const PlatformOptions& options);

}  // namespace vtopo::detail
