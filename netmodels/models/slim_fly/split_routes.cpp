#include "netmodels/models/slim_fly/split_routes.hpp"

#include <cstddef>

#include "netmodels/link_shares.hpp"
#include "netmodels/models/leg_traffic.hpp"

namespace vtopo::detail {

void append_slim_fly_valiant(const SlimFlyGraph& graph, int from, int to,
                             std::vector<LinkShare>& shares) {
  if (from == to) return;
  const std::size_t first = shares.size();
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  const double each = 1.0 / graph.num_routers();
  for (int by = 0; by < graph.num_routers(); ++by) {
    visit_slim_fly_ecmp(graph, from, by, each, add);
    visit_slim_fly_ecmp(graph, by, to, each, add);
  }
  join_entries(shares, first);
}

double mean_slim_fly_valiant_hops(const SlimFlyGraph& graph) {
  const double routers = graph.num_routers(), joined = graph.degree();
  return 2 * (joined + 2 * (routers - 1 - joined)) / routers;
}

std::unique_ptr<LinkTraffic> make_slim_fly_valiant_traffic(const SlimFlyGraph& graph) {
  return make_visited_leg_traffic(graph, graph.num_routers(), graph.num_links(),
                                  [&graph](int from, int to, double share, const auto& add) {
                                    visit_slim_fly_ecmp(graph, from, to, share, add);
                                  });
}

}  // namespace vtopo::detail
