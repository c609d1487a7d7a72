#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "netmodels/network.hpp"

namespace vtopo {

/// What the links of a modelled network can carry and how its hosts are called.
struct NetworkDefaults {
  BytesPerSecond bandwidth{10e9};  ///< per direction
  Seconds latency{100e-9};         ///< per link
  std::string host_prefix = "host-";
  std::string host_suffix = "";
  int first_host_number = 0;  ///< host h is called prefix + (first_host_number + h) + suffix
};

/// Network of a specification: `torus:8x8x4m`, `mesh:32x32`, `fat-tree:2;4,4;1,2;1,2`,
/// `dragonfly:9,4;6,3;16,1;4` (SimGrid's parameter strings).
/// @throws UsageError that names the value and what is accepted.
std::shared_ptr<const Network> make_network(std::string_view spec, const NetworkDefaults& defaults);

}  // namespace vtopo
