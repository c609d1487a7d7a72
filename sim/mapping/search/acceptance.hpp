#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/mapping/search/change_draw.hpp"

namespace vtopo::detail {

/// -ln of uniform numbers: a rise is accepted if it is at most temperature * threshold.
class AcceptanceThresholds {
 public:
  static constexpr std::size_t count = 4096;
  AcceptanceThresholds() {
    for (std::size_t i = 0; i < count; ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  double of(std::uint64_t bits) const { return values_[bits % count]; }

 private:
  std::array<double, count> values_{};
};

/// One step of annealing: makes the change if it costs nothing or its rise is accepted.
template <class State>
void try_change(State& state, const RankChange& change, double temperature,
                const AcceptanceThresholds& thresholds, ChangeDraw& draw) {
  const double delta = state.probe(change);
  if (delta <= 0 || delta < temperature * thresholds.of(draw.below(AcceptanceThresholds::count)))
    state.commit();
  else
    state.reject();
}

}  // namespace vtopo::detail
