#pragma once

#include <vector>

namespace vtopo {

/// How the positions along an axis are joined: neighbours only, neighbours and both ends, or all
/// pairs.
enum class AxisKind { path, ring, complete };

/// One axis of a grid of routers.
struct NetworkAxis {
  int size = 1;                    ///< positions along it, >= 1
  AxisKind kind = AxisKind::ring;  ///< how its positions are joined

  friend bool operator==(const NetworkAxis&, const NetworkAxis&) = default;  ///< memberwise
};

/// Routers that form a grid, and the hosts at them. The first axis is the fastest:
/// router = x0 + size0 * (x1 + size1 * ...), host = router * hosts_per_router + k.
struct HostCoordinates {
  std::vector<NetworkAxis> axes;  ///< the first one varies fastest
  int hosts_per_router = 1;       ///< numbered one after the other
};

}  // namespace vtopo
