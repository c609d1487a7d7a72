#pragma once

#include <functional>
#include <vector>

#include "netmodels/network.hpp"
#include "topology/base/compressed_rows.hpp"

namespace vtopo::detail {

/// Flows with two alternatives each: links with the share of the flow that takes them.
struct TwoRoutings {
  CompressedRows<LinkShare> first;      ///< a row per flow
  CompressedRows<LinkShare> second;     ///< a row per flow
  std::vector<double> volume;           ///< of each flow, > 0
  std::vector<double> capacity;         ///< of each link; infinite: its load does not count
  std::vector<double> other_load = {};  ///< of each link, which stays as it is; empty: none
};

/// Which part of each flow takes its second alternative.
struct Balance {
  std::vector<double> second;  ///< 0 to 1, one entry per flow
  double gap = 0;              ///< what flows could save of their cost by changing, at these loads
  int steps = 0;               ///< that it took
};

inline constexpr double load_balance_gap = 1e-2;  ///< of the cost: 3e-4 of the congestion

/// Fixed point of link loads: the cost of a link is its congestion (load / capacity) to the power
/// of `load_balance_steepness`, so that the busiest link of a route decides, that of a route the
/// sum over its links, and no flow has a cheaper alternative that it does not take (Wardrop's first
/// principle). Loads at the fixed point are unique: it is the minimum of a convex function
/// (Beckmann, McGuire, Winsten, "Studies in the Economics of Transportation", 1956), found from all
/// flows on their first alternative by spectral projected gradients (Birgin, Martinez, Raydan, SIAM
/// J. Optim. 10, 2000). Flows in equal situations get equal parts. Ends when flows could save less
/// than `load_balance_gap` of their cost in sum, or after `load_balance_steps` steps.
Balance balance_loads(const TwoRoutings& flows, double gap = load_balance_gap);

/// Cost of each link at these loads, up to a common factor.
std::vector<double> link_costs(const std::vector<double>& capacity,
                               const std::vector<double>& load);

inline constexpr int load_balance_steepness = 32;  ///< of the cost of a link
inline constexpr int load_balance_steps = 2000;    ///< at most

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
/// by taking any other route, or after `path_balance_rounds` rounds; once steps have looked at
/// `long_path_balance` links, less than `long_path_balance_gap` is enough.
PathBalance balance_paths(const FlowsToBalance& flows, const CheapestRoute& cheapest);

inline constexpr int path_balance_rounds = 200;        ///< at most
inline constexpr double long_path_balance = 5e7;       ///< a second or so
inline constexpr double long_path_balance_gap = 3e-2;  ///< of the cost: 1e-3 of the congestion

}  // namespace vtopo::detail
