#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/clock/sharing/flows.hpp"

namespace vtopo::detail {

/// Seconds from the common start to the ends of flows.
struct BatchTimes {
  std::vector<double> seconds;    ///< found
  std::vector<double> at_most;    ///< of each flow, certain
  double last_at_least = 0;       ///< of the last end, certain: all bytes of the busiest link
  std::uint64_t num_updates = 0;  ///< as `MaxMinSharing::num_updates`
};

/// Called now and then with the flows that have ended and the updates so far; throws to stop.
using BatchTick = std::function<void(std::size_t, std::uint64_t)>;

/// When flows end that share links max-min fairly, for flows over so many links each that not every
/// end can be passed on by itself: those that end next are a batch, and rates are found anew after
/// it. What they leave of a full link until then is its account, which it hands out in the time of
/// the next batch. So the last end on a link that is full until then is exact; other ends are off
/// by about a fifth of `part` in the mean.
///
/// Certain is the end if each flow had no more than its part of the link that is the most crowded
/// of its links: max-min fair rates are never below that, and it only grows as flows end.
/// @param part of the flows that are left: a batch; 0 < part <= 1.
BatchTimes batch_times(const SharedFlows& flows, double part, const BatchTick& tick);

}  // namespace vtopo::detail
