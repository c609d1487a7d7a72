#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// Dragonfly with minimal routes: green then black to the gateway, blue, green then black to the
/// destination's blade. Group i reaches group j from its router j modulo (chassis * blades),
/// counted with blades fastest: as in SimGrid while groups <= blades, and on for any number of
/// groups. Inside a group SimGrid 3.32 forgets the chassis it started from; here every route is a
/// walk.
/// @throws UsageError if a number is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec);

}  // namespace vtopo
