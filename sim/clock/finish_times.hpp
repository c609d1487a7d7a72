#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/clock/sharing/flows.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// What the clock said of flows, and what it took to find it.
struct FinishTimes {
  std::vector<double> seconds;    ///< of each flow, from the common start to its end
  std::uint64_t num_updates = 0;  ///< `MaxMinSharing::num_updates`
};

/// Seconds from the common start to the end of each flow when links are shared max-min fairly at
/// any time, without latency. From one end of a flow to the next rates are constant, and only those
/// that the end changes are found again (`MaxMinSharing`). Flows that end within 1e-12 of the time
/// end together.
/// @param progress share of flows that have ended; `stop` is asked as often, empty: never.
/// @throws SimulationError if told to stop.
FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop);

}  // namespace vtopo::detail
