#pragma once

#include <span>

#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// The hosts on which ranks sit, ascending, with a slot for each of their ranks.
/// @param hosts one entry per rank.
Allocation allocation_for(std::span<const HostId> hosts);

}  // namespace vtopo::detail
