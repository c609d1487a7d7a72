#pragma once

#include <functional>
#include <vector>

#include "netmodels/load_routing/load_balance.hpp"

namespace vtopo::detail {

/// Flows, each with a routing to begin with.
struct FlowsToBalance {
  CompressedRows<LinkShare> start;  ///< a row per flow
  std::vector<double> volume;       ///< of each flow, > 0
  std::vector<double> capacity;     ///< of each link; infinite: its load does not count
};

/// Appends the links of the cheapest route that a flow may take, by costs of links.
using CheapestRoute =
    std::function<void(std::size_t flow, const std::vector<double>& costs, std::vector<LinkId>&)>;

/// Routings of flows.
struct PathBalance {
  CompressedRows<LinkShare> shares;  ///< a row per flow, each link once
  double gap = 0;  ///< what flows could save of their cost by changing, at these loads
  int rounds = 0;  ///< that it took
};

/// The fixed point of `balance_loads` over all routes that flows may take: each flow splits so that
/// none of its routes is much dearer than another one. Routes are found as costs call for them:
/// each round finds the cheapest route of every flow and balances what the flow has against the
/// same with all of the route on which it could save most moved to the cheapest one: Frank and
/// Wolfe's algorithm with pairwise steps (S. Lacoste-Julien and M. Jaggi, NIPS 2015), a step of its
/// own for each flow. Ends when flows could save less than `load_balance_gap` of their cost in sum
/// by taking any other route, or after `path_balance_rounds` rounds.
PathBalance balance_paths(const FlowsToBalance& flows, const CheapestRoute& cheapest);

inline constexpr int path_balance_rounds = 200;  ///< at most

}  // namespace vtopo::detail
