#pragma once

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"

namespace vtopo {

/// Least hop-bytes and least congestion over all embeddings, one by one.
class BruteForce {
 public:
  BruteForce(const CommGraph& guest, const Network& network, const Allocation& allocation)
      : guest_(guest), network_(network), allocation_(allocation), free_(allocation.slots) {
    place_next();
  }

  Bounds least() const { return least_; }

 private:
  void place_next() {
    if (static_cast<int>(hosts_.size()) == guest_.num_ranks()) return measure();
    for (std::size_t p = 0; p < free_.size(); ++p) {
      if (free_[p] == 0) continue;
      --free_[p];
      hosts_.push_back(allocation_.hosts[p]);
      place_next();
      hosts_.pop_back();
      ++free_[p];
    }
  }

  void measure() {
    const auto metrics = evaluate(guest_, network_, Embedding(hosts_, allocation_));
    least_.hop_bytes = std::min(least_.hop_bytes, metrics.hop_bytes);
    least_.congestion = std::min(least_.congestion, metrics.max_congestion);
  }

  const CommGraph& guest_;
  const Network& network_;
  const Allocation& allocation_;
  std::vector<int> free_;
  std::vector<HostId> hosts_;
  Bounds least_{{std::numeric_limits<double>::infinity()},
                {std::numeric_limits<double>::infinity()}};
};

/// Whole volumes leave no rounding in hop-bytes but where flows split; congestion is a quotient.
inline void check_bounds(const CommGraph& guest, const Network& network,
                         const Allocation& allocation) {
  const Bounds bounds = lower_bounds(guest, network, allocation);
  const Bounds least = BruteForce(guest, network, allocation).least();
  INFO(network.description() << ": " << bounds.hop_bytes_kind << ", " << bounds.congestion_kind);
  CHECK(bounds.hop_bytes.value <= least.hop_bytes.value * (1 + 1e-12));
  CHECK(bounds.congestion.value <= least.congestion.value * (1 + 1e-12));
}

}  // namespace vtopo
