#pragma once

#include <optional>
#include <vector>

#include "sim/placement/allocation.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Most ranks of a host under `--imbalance`, as partitioners count: ranks per host, rounded up, and
/// a share more, rounded down.
int balanced_slots(int ranks, int hosts, double imbalance);

/// What ranks weigh, where hosts are to be balanced and a traffic file has weights.
struct RankBalance {
  std::vector<double> weights;  ///< one entry per rank
  double even = 0;              ///< share of a host
  double most = 0;              ///< of a host: the share, rounded up, and the imbalance more

  /// Most ranks that a host can take, the lightest ones.
  int most_ranks() const;
};

/// Nothing without `--imbalance`, and where all ranks weigh the same.
std::optional<RankBalance> rank_balance(const Scenario& scenario, int hosts);

}  // namespace vtopo::detail
