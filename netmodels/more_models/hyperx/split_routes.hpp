#pragma once

#include <memory>
#include <vector>

#include "netmodels/more_models/hyperx/grid.hpp"

namespace vtopo::detail {

/// Appends the links of all shortest routes between two routers: an even split at each router over
/// the dimensions that are left. O(dimensions * 2^dimensions).
void append_hyperx_ecmp(const HyperXGrid& grid, int source, int destination,
                        std::vector<LinkShare>& shares);

/// Appends the expected shares of the two legs in dimension order by way of a router drawn from all
/// (L. G. Valiant, "A Scheme for Fast Parallel Communication", 1982). O(routers).
void append_hyperx_valiant(const HyperXGrid& grid, int source, int destination,
                           std::vector<LinkShare>& shares);

/// Mean number of links of both legs: 2 * (1 - 1/size), summed over the dimensions, whatever the
/// ends.
double mean_hyperx_valiant_hops(const HyperXGrid& grid);

/// Traffic of such legs: what leaves and arrives by router, spread over the links at the end. Each
/// leg counts as a flow. `grid` must outlive it.
std::unique_ptr<LinkTraffic> make_hyperx_valiant_traffic(const HyperXGrid& grid);

}  // namespace vtopo::detail
