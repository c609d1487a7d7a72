#pragma once

#include <vector>

namespace vtopo {

/// How the positions along an axis are joined: neighbours only, neighbours and both ends, or all pairs.
enum class AxisKind { path, ring, complete };

/// One axis of a grid of routers.
struct NetworkAxis {
  int size = 1;
  AxisKind kind = AxisKind::ring;

  friend bool operator==(const NetworkAxis&, const NetworkAxis&) = default;
};

/// Routers that form a grid, and the hosts at them. The first axis is the fastest:
/// router = x0 + size0 * (x1 + size1 * ...), host = router * hosts_per_router + k.
struct HostCoordinates {
  std::vector<NetworkAxis> axes;
  int hosts_per_router = 1;
};

}  // namespace vtopo
