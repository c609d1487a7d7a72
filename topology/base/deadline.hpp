#pragma once

#include <chrono>

#include "topology/base/units.hpp"

namespace vtopo::detail {

/// `time` after `start`, on the monotonic clock; more than 1e9 seconds are never over: the last
/// time point that there is.
/// @param time not less than -1e9 seconds.
inline std::chrono::steady_clock::time_point time_point_after(
    std::chrono::steady_clock::time_point start, Seconds time) {
  using Clock = std::chrono::steady_clock;
  constexpr double forever = 1e9;
  if (!(time.value <= forever)) return Clock::time_point::max();
  return start +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time.value));
}

}  // namespace vtopo::detail
