#pragma once

#include <memory>

#include "netmodels/models/fat_tree/routes.hpp"

namespace vtopo::detail {

/// Sums over the one route of each flow: 2 * peak additions per flow.
std::unique_ptr<LinkTraffic> make_routed_traffic(const FatTreeLevels& levels,
                                                 const FatTreeRoutes& routes);

/// Sums of flows that split evenly over all shortest routes. Such a flow puts the same share on
/// all cables up from its source's subtree of each level, and down to its destination's: two
/// additions per level and flow, which totals() spreads over the cables.
/// @param planes that all flows keep to.
std::unique_ptr<LinkTraffic> make_spread_traffic(const FatTreeLevels& levels,
                                                 const std::optional<FlowPlanes>& planes);

}  // namespace vtopo::detail
