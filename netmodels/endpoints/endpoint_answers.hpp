#pragma once

#include <optional>
#include <vector>

#include "netmodels/endpoints/endpoint_ids.hpp"
#include "netmodels/network.hpp"

// What a network with endpoints answers, from the answers of the inner one. Internal to this room.

namespace vtopo::detail {

HopMetric endpoint_hop_metric(const Network& inner, const EndpointIds& ids);
std::optional<HostCoordinates> endpoint_coordinates(const Network& inner, const EndpointIds& ids);
std::vector<HostGroups> endpoint_hierarchy(const Network& inner, const EndpointIds& ids);
std::optional<HostSites> endpoint_sites(const Network& inner, const EndpointIds& ids);
std::vector<std::int64_t> endpoint_distance_profile(const Network& inner, const EndpointIds& ids,
                                                    std::int64_t count);
std::vector<HostParts> endpoint_parts(const Network& inner, const EndpointIds& ids);
std::vector<VertexCells> endpoint_cuts(const Network& inner, const EndpointIds& ids,
                                       const EndpointSpec& endpoints);
std::optional<NetworkLayout> endpoint_layout(const Network& inner, const EndpointIds& ids,
                                             const EndpointSpec& endpoints);

/// Whether a byte from every host to every other one, over all shortest paths, fills the bisection:
/// then no set of hosts is cut off by less in proportion to the pairs between it and the others.
/// False also where that would take too long to look at.
bool is_filled_by_uniform_traffic(const Network& network, const Bisection& bisection);

}  // namespace vtopo::detail
