#pragma once

#include <optional>
#include <string>

#include "topology/base/units.hpp"

namespace vtopo {

/// What the links of a modelled network can carry and how its hosts are called.
struct NetworkDefaults {
  BytesPerSecond bandwidth{10e9};     ///< per direction
  Seconds latency{100e-9};            ///< per link
  std::string host_prefix = "host-";  ///< in front of the number of a host
  std::string host_suffix = "";       ///< behind the number of a host
  int first_host_number = 0;  ///< host h is called prefix + (first_host_number + h) + suffix
};

/// What one class of links can carry; the network's defaults where nothing is given.
struct LinkRates {
  std::optional<BytesPerSecond> bandwidth;  ///< per direction
  std::optional<Seconds> latency;           ///< per link
};

}  // namespace vtopo
