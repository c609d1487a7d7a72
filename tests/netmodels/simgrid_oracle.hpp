#pragma once

#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::tests {

/// Link names of the route of every ordered pair of hosts, [source][destination], as SimGrid's own
/// `<cluster topology="..." topo_parameters="...">` routes them; empty for a host to itself.
using RouteNames = std::vector<std::vector<std::vector<std::string>>>;

/// Loads the cluster in a child process (SimGrid keeps process-wide state) and asks for all routes.
RouteNames simgrid_cluster_routes(const std::string& topology, const std::string& parameters,
                                  int num_hosts);

/// The same from a platform file, between the hosts of these names.
RouteNames simgrid_file_routes(const std::string& path, const std::vector<std::string>& hosts);

/// The same from `network`, hosted on SimGrid through vtopo's own zone class.
RouteNames hosted_routes(const Network& network);

/// The same from `network` itself.
RouteNames own_routes(const Network& network);

}  // namespace vtopo::tests
