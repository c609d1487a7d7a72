#pragma once

#include <memory>
#include <vector>

#include "netmodels/models/slim_fly/graph.hpp"

namespace vtopo::detail {

/// Calls `visit(link, share)` for the links of all shortest routes between two routers.
template <class Visit>
void visit_slim_fly_ecmp(const SlimFlyGraph& graph, int from, int to, double share, Visit visit) {
  const int distance = graph.distance(from, to);
  if (distance == 1) visit(graph.link(from, to), share);
  if (distance < 2) return;
  int middles = 0;
  graph.for_each_middle(from, to, [&](int) { ++middles; });
  graph.for_each_middle(from, to, [&](int middle) {
    visit(graph.link(from, middle), share / middles);
    visit(graph.link(middle, to), share / middles);
  });
}

/// Appends the expected shares of the two legs by way of a router drawn from all (L. G. Valiant, "A
/// Scheme for Fast Parallel Communication", 1982), each link once. O(routers log routers).
void append_slim_fly_valiant(const SlimFlyGraph& graph, int from, int to,
                             std::vector<LinkShare>& shares);

/// Mean number of links of both legs, whatever the ends.
double mean_slim_fly_valiant_hops(const SlimFlyGraph& graph);

/// Traffic of such legs: what leaves and arrives by router, spread over the links at the end. Each
/// leg counts as a flow. `graph` must outlive it.
std::unique_ptr<LinkTraffic> make_slim_fly_valiant_traffic(const SlimFlyGraph& graph);

}  // namespace vtopo::detail
