#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/clock/sharing/flows.hpp"

namespace vtopo {

using namespace vtopo::detail;

/// Max-min fair rates by the definition, slowly: the link with the least bandwidth per flow among
/// flows without a rate gives them that rate; once more, with what is left, until all have one. A
/// flow counts by its share of the link.
inline std::vector<double> oracle_rates(const SharedFlows& flows, const std::vector<bool>& runs) {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> rate(flows.num_flows(), none);
  for (;;) {
    std::vector<double> left = flows.capacity;
    std::vector<double> waiting(left.size());
    for (std::size_t f = 0; f < flows.num_flows(); ++f)
      for (auto e = flows.first[f]; e < flows.first[f + 1]; ++e) {
        if (!runs[f]) continue;
        const auto l = static_cast<std::size_t>(flows.links[e]);
        if (rate[f] == none)
          waiting[l] += flows.share(e);
        else
          left[l] -= rate[f] * flows.share(e);
      }
    double least = none;
    std::size_t full = 0;
    for (std::size_t l = 0; l < left.size(); ++l) {
      if (waiting[l] == 0 || left[l] / waiting[l] >= least) continue;
      least = left[l] / waiting[l];
      full = l;
    }
    if (least == none) return rate;
    for (std::size_t f = 0; f < flows.num_flows(); ++f)
      for (const auto link : flows.links_of(f))
        if (static_cast<std::size_t>(link) == full && runs[f] && rate[f] == none) rate[f] = least;
  }
}

/// When flows end, by solving everything anew after every end.
inline std::vector<double> oracle_finish_times(const SharedFlows& flows) {
  std::vector<double> left = flows.volume, finish(flows.num_flows());
  std::vector<bool> runs(flows.num_flows(), true);
  double now = 0;
  for (std::size_t ended = 0; ended < flows.num_flows(); ++ended) {
    const auto rate = oracle_rates(flows, runs);
    double next = std::numeric_limits<double>::infinity();
    std::size_t first = 0;
    for (std::size_t f = 0; f < flows.num_flows(); ++f) {
      if (!runs[f] || left[f] / rate[f] >= next) continue;
      next = left[f] / rate[f];
      first = f;
    }
    now += next;
    for (std::size_t f = 0; f < flows.num_flows(); ++f)
      if (runs[f]) left[f] = std::max(0.0, left[f] - next * rate[f]);
    runs[first] = false;
    finish[first] = now;
  }
  return finish;
}

}  // namespace vtopo
