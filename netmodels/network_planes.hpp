#pragma once

#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Planes that flows take in a network with several.
struct FlowPlanes {
  int out = 0;               ///< in which they leave their sources
  int in = 0;                ///< in which they arrive
  bool joined_tops = false;  ///< the top switches join all planes; else `in` is `out`
};

/// What a network says further that may consist of planes: parts that share no switch, to each of
/// which every host has cables.
class NetworkPlanes {
 public:
  virtual ~NetworkPlanes() = default;

  /// At least 1.
  virtual int planes() const = 0;
  /// Plane of a link.
  virtual int plane_of(LinkId link) const = 0;
  /// The same hosts and links with flows that keep to planes.
  virtual std::shared_ptr<const Network> in_planes(const FlowPlanes& planes) const = 0;
};

/// Of a network that has several planes; else null. Lives as long as the network.
inline const NetworkPlanes* planes_of(const Network& network) {
  const auto* const planes = dynamic_cast<const NetworkPlanes*>(&network);
  return planes != nullptr && planes->planes() > 1 ? planes : nullptr;
}

}  // namespace vtopo::detail
