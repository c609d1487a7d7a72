#pragma once

#include <pugixml.hpp>

#include <vector>

#include "netmodels/platform/platform_routes.hpp"

namespace vtopo::detail {

/// Kinds of a platform's links, in the order in which they are first met; internal to this room.
struct LinkKinds {
  /// With the lowest bandwidth and the highest latency of the kind.
  std::vector<LinkClass> classes;
  std::vector<int> class_of;  ///< by link
};

/// Sorts the links into `links`, `fatpipe`, `limiter` (of a cluster) and `backbone`, and marks the
/// limiters as no hops. Links from a host to itself are in no inventory.
LinkKinds sort_links(pugi::xml_node platform, PlatformInventory& inventory);

}  // namespace vtopo::detail
