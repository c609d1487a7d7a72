#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// `group`, `chassis` and `router`, numbered through the machine.
std::vector<HostParts> dragonfly_parts(const DragonflySpec& spec, const DragonflyLayout& layout);

/// Hosts, routers, chassis and groups. A flow takes a link of each of its two hosts, and between
/// routers links that are in the cuts of two routers. Not for SimGrid's lists of links.
std::vector<VertexCells> dragonfly_cuts(const DragonflySpec& spec, const DragonflyLayout& layout);

/// Two hops within a router, three to the routers at the other ends of a router's links, of which
/// no router has more than counted here, four to all others at least, whatever the routes.
std::vector<std::int64_t> dragonfly_distance_profile(const DragonflySpec& spec,
                                                     const DragonflyLayout& layout);

/// Most hosts that divide the number at every router: they are as far from all others.
int dragonfly_site(const DragonflySpec& spec);

/// Groups on a circle, chassis as rows of routers.
GroupLayout dragonfly_picture(const DragonflySpec& spec, const DragonflyLayout& layout);

}  // namespace vtopo::detail
