#include "sim/run/rank_balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding_of_shares = 1e-9;  ///< 3 % of 100 are 3

}  // namespace

int balanced_slots(int ranks, int hosts, double imbalance) {
  const int even = ranks / hosts + (ranks % hosts > 0 ? 1 : 0);
  return std::max(1, static_cast<int>(std::floor(even * (1 + imbalance) + rounding_of_shares)));
}

int RankBalance::most_ranks() const {
  std::vector<double> sorted = weights;
  std::sort(sorted.begin(), sorted.end());
  int count = 0;
  for (double sum = 0; const double weight : sorted)
    if ((sum += weight) <= most) ++count;
  return std::max(1, count);
}

std::optional<RankBalance> rank_balance(const Scenario& scenario, int hosts) {
  if (!scenario.imbalance || scenario.traffic.empty() || scenario.traffic_graph || hosts < 1)
    return std::nullopt;
  TrafficOptions traffic;
  if (scenario.traffic_format) traffic.format = **scenario.traffic_format;
  traffic.num_ranks = scenario.ranks;
  RankBalance balance{read_rank_weights(scenario.traffic, traffic)};
  if (balance.weights.empty()) return std::nullopt;
  balance.even = std::accumulate(balance.weights.begin(), balance.weights.end(), 0.0) / hosts;
  balance.most = std::ceil(balance.even) * (1 + **scenario.imbalance) + rounding_of_shares;
  return balance;
}

}  // namespace vtopo::detail
