#pragma once

#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::tests {

/// Names of the links from host `source` to host `destination`, in the order of travel.
inline std::vector<std::string> route_names(const Network& network, int source, int destination) {
  std::vector<LinkId> route;
  network.append_route(HostId{source}, HostId{destination}, route);
  std::vector<std::string> names;
  for (const LinkId link : route) names.push_back(network.link_name(link));
  return names;
}

}  // namespace vtopo::tests
