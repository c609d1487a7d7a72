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
  double tolerance = 0;           ///< as it was used
};

/// Of the ends of so many flows with different volumes: 0, exact to rounding, up to 20,000; above,
/// 1e-5 for each 40,000.
double finish_tolerance(std::size_t num_flows);

/// Seconds from the common start to the end of each flow when links are shared max-min fairly at
/// any time, without latency. From one end of a flow to the next rates are constant, and only those
/// that the end changes are found again (`MaxMinSharing`). Flows that end within 1e-12 of the time
/// end together. With a tolerance > 0, and if no flow crosses a link twice, flows learn a little
/// late of what others leave them (`BurstSharing`).
/// @param tolerance absent: `finish_tolerance`.
/// @param progress share of flows that have ended; `stop` is asked as often, empty: never.
/// @throws SimulationError if told to stop.
FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop, std::optional<double> tolerance = {});

}  // namespace vtopo::detail
