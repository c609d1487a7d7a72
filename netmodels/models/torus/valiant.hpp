#pragma once

#include <memory>
#include <vector>

#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// Valiant and Brebner, "Universal Schemes for Parallel Communication" (STOC 1981): a route by way
/// of a router drawn uniformly over all, both legs in dimension order with SimGrid's ties. Traffic
/// between hosts of one router does not leave it.

/// Appends the links of the expected routes between two different routers, each once. O(links).
void append_valiant_shares(const TorusGrid& grid, int source, int destination,
                           std::vector<LinkShare>& shares);

/// Expected links on the way between two different routers. O(dimensions).
double mean_valiant_distance(const TorusGrid& grid, int source, int destination);

/// Expected traffic of all flows in O(1) per flow and O(links) at the end, each leg counted as a
/// flow. `grid` and `hosts` must outlive the result.
std::unique_ptr<LinkTraffic> make_valiant_traffic(int num_links, const TorusGrid& grid,
                                                  const TorusHosts& hosts);

}  // namespace vtopo::detail
