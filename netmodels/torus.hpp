#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// Torus with SimGrid's routes: dimension order, dimension 0 first, the shorter way around; at
/// exactly half a ring the positive way, unless the source coordinate is size/2 (then negative). A
/// wrapping dimension of size 2 has two cables and its routes use only the first, as in SimGrid.
/// @throws UsageError if a size is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_torus(const TorusSpec& spec);

}  // namespace vtopo
