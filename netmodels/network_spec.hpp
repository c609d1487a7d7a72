#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "netmodels/network.hpp"

namespace vtopo {

/// Bandwidth (per direction) and latency of every link of a modelled network.
struct LinkDefaults {
  BytesPerSecond bandwidth{10e9};
  Seconds latency{100e-9};
};

/// Network of a specification: `torus:8x8x4m`, `mesh:32x32`, `fat-tree:2;4,4;1,2;1,2`,
/// `dragonfly:9,4;6,3;16,1;4` (SimGrid's parameter strings).
/// @throws UsageError that names the value and what is accepted.
std::shared_ptr<const Network> make_network(std::string_view spec, const LinkDefaults& defaults);

}  // namespace vtopo
