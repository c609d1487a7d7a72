#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_spec.hpp"

namespace vtopo {

/// One dimension of a torus or mesh network.
struct TorusDimension {
  int size = 1;
  bool wraps = true;  ///< false: mesh dimension, no link between the last and the first coordinate
};

/// Torus of any number of dimensions, one host per router. The first dimension is the fastest: host
/// = x + a*y + a*b*z, as SimGrid numbers them.
struct TorusSpec {
  std::vector<TorusDimension> dimensions;
  NetworkDefaults defaults;
};

/// Torus with SimGrid's routes: dimension order, dimension 0 first, the shorter way around; at
/// exactly half a ring the positive way, unless the source coordinate is size/2 (then negative). A
/// wrapping dimension of size 2 has two cables and its routes use only the first, as in SimGrid.
/// @throws UsageError if a size is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_torus(const TorusSpec& spec);

}  // namespace vtopo
