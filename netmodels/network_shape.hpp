#pragma once

#include <variant>

#include "netmodels/models/dragonfly/spec.hpp"
#include "netmodels/models/fat_tree/spec.hpp"
#include "netmodels/models/torus/spec.hpp"

namespace vtopo {

/// The structure of a network that has one; none: only routes are known.
using NetworkShape = std::variant<std::monostate, TorusSpec, FatTreeSpec, DragonflySpec>;

}  // namespace vtopo
