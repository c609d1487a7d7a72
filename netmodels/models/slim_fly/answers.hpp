#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netmodels/models/slim_fly/graph.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// Specification that gives the same network again.
std::string slim_fly_description(const SlimFlySpec& spec, const SlimFlyGraph& graph);

/// Routers and groups; in a group about half of the routers are joined.
std::vector<HostGroups> slim_fly_groups(const SlimFlyGraph& graph);

/// `group`: hosts of the q routers that differ in the place only; `router`.
std::vector<HostParts> slim_fly_parts(const SlimFlyGraph& graph);

/// Hosts, routers and groups. A flow takes a link of each of its two hosts, and between routers
/// links that are in the cuts of two routers.
std::vector<VertexCells> slim_fly_cuts(const SlimFlyGraph& graph);

/// Hosts by hops from any.
std::vector<std::int64_t> slim_fly_distance_profile(const SlimFlyGraph& graph);

/// Groups on a circle, those of side 0 first.
GroupLayout slim_fly_picture(const SlimFlyGraph& graph);

}  // namespace vtopo::detail
