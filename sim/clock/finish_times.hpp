#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/clock/sharing/flows.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// What the clock said of flows, and what it took to find it.
struct FinishTimes {
  std::vector<double> seconds;    ///< of each flow, from the common start to its end
  std::uint64_t num_updates = 0;  ///< `MaxMinSharing::num_updates`
  double tolerance = 0;           ///< of single ends, relative, in the mean
  /// Where ends are found in batches: when each flow has ended for certain; else empty.
  std::vector<double> at_most = {};
  double last_at_least = 0;  ///< then: of the last end, for certain
};

/// Of the ends of so many flows with different volumes: 0, exact to rounding, up to 20,000; above,
/// 1e-5 for each 40,000.
double finish_tolerance(std::size_t num_flows);

/// Links that flows cross with equal shares fill up together: one of them, as narrow as the
/// narrowest, stands for all, as on fat trees for parallel ones.
/// @param flows with shares.
void merge_equal_links(SharedFlows& flows);

/// Seconds from the common start to the end of each flow when links are shared max-min fairly at
/// any time, without latency. From one end of a flow to the next rates are constant, and only those
/// that the end changes are found again (`MaxMinSharing`). Flows that end within 1e-12 of the time
/// end together. With a tolerance > 0, and if no flow crosses a link twice, flows learn a little
/// late of what others leave them (`BurstSharing`). Many flows that split over many links each end
/// in batches (`batch_times`).
/// @param tolerance absent: `finish_tolerance`.
/// @param progress share of flows that have ended; `stop` is asked as often, empty: never.
/// @throws SimulationError if told to stop.
FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop, std::optional<double> tolerance = {});

}  // namespace vtopo::detail
