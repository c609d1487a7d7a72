#pragma once

#include <vector>

#include "netmodels/host_coordinates.hpp"

namespace vtopo {

/// Hosts that stand at one place: hosts k * hosts_per_site to (k + 1) * hosts_per_site - 1 are as
/// far from every other host, and all as far from each other.
struct HostSites {
  int hosts_per_site = 1;
  /// Symmetry of the distances between sites, the first axis the fastest: they stay the same if all
  /// sites are turned along a ring, reflected along a path, or permuted along a complete axis.
  /// None: no symmetry is known.
  std::vector<NetworkAxis> axes;
  bool same_back = true;         ///< hops from one site to another are those of the way back
  int lookups_per_distance = 1;  ///< routes that `Network::hops` compares
};

}  // namespace vtopo
