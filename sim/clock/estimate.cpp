#include "sim/clock/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "sim/clock/sharing/flows.hpp"

namespace vtopo::detail {

Seconds estimate_simulation_time(const CommGraph& guest, const Network& network,
                                 const Embedding& embedding) {
  constexpr double seconds_per_solved_hop = 0.6e-7;
  constexpr double seconds_per_flow = 1e-5;
  constexpr double seconds_in_cache = 4;  // longer runs no longer fit into the caches
  std::vector<int> flows_on(static_cast<std::size_t>(network.num_links()));
  double flows = 0, hops = 0;
  for_each_flow(guest, network, embedding,
                [&](Rank, const CommEdge&, const std::vector<LinkId>& route) {
                  flows += 1;
                  hops += static_cast<double>(route.size());
                  for (const LinkId link : route) ++flows_on[index(link)];
                });
  std::set<std::tuple<double, int, int, std::size_t>> finish_classes;
  for_each_flow(guest, network, embedding,
                [&](Rank, const CommEdge& edge, const std::vector<LinkId>& route) {
                  int most = 0, sum = 0;
                  for (const LinkId link : route) {
                    most = std::max(most, flows_on[index(link)]);
                    sum += flows_on[index(link)];
                  }
                  finish_classes.emplace(edge.volume.value, most, sum, route.size());
                });
  const double solves = static_cast<double>(finish_classes.size());
  const double linear = hops * solves * seconds_per_solved_hop;
  const double cache_misses = std::max(1.0, std::sqrt(linear / seconds_in_cache));
  return {flows * seconds_per_flow + linear * cache_misses};
}

std::string format_duration(Seconds time) {
  if (time.value < 100) return fmt::format("{:.0f} s", time.value);
  if (time.value < 6000) return fmt::format("{:.0f} min", time.value / 60);
  if (time.value < 172800) return fmt::format("{:.0f} h", time.value / 3600);
  return fmt::format("{:.0f} days", time.value / 86400);
}

}  // namespace vtopo::detail
