#pragma once

#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::tests {

/// Link names of the route of every ordered pair of hosts, [source][destination], as SimGrid's own
/// `<cluster topology="..." topo_parameters="...">` routes them; empty for a host to itself.
using RouteNames = std::vector<std::vector<std::vector<std::string>>>;

/// Loads the cluster in a child process (SimGrid keeps process-wide state) and asks for all routes.
RouteNames simgrid_cluster_routes(const std::string& topology, const std::string& parameters,
                                  int num_hosts);

/// The same for some pairs (source, destination) of different hosts, in their order.
std::vector<std::vector<std::string>> simgrid_cluster_routes(
    const std::string& topology, const std::string& parameters, int num_hosts,
    const std::vector<std::pair<int, int>>& pairs);

/// How many of the pairs (source, destination) have routes in `network` that are not link for link
/// those of SimGrid's cluster, under one renaming of links over all pairs together.
int pairs_off_simgrid(const std::string& topology, const std::string& parameters,
                      const Network& network, const std::vector<std::pair<HostId, HostId>>& pairs);

/// Link names of all routes among some hosts of a platform file, in the given order. All must have
/// routes.
RouteNames simgrid_platform_routes(const std::string& file,
                                   const std::vector<std::string>& host_names);

/// Names of the hosts that plain SimGrid builds of a platform file, sorted.
std::vector<std::string> simgrid_host_names(const std::string& file);

/// Link names of every route of `network`, hosted on SimGrid through vtopo's own zone class.
RouteNames hosted_routes(const Network& network);

/// The same from `network` itself.
RouteNames own_routes(const Network& network);

}  // namespace vtopo::tests
