#pragma once

#include <optional>
#include <vector>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// A flow with bytes between two hosts.
struct SharedFlow {
  Parts parts;             ///< without fatpipes
  double most = infinity;  ///< rate that its fatpipes permit
};

/// Links that flows share, and what fatpipes make of each flow.
SharedFlow shared(const Flow& flow, const std::vector<Link>& links);

/// Max-min fair rates by filling: all rates rise together until a link is full.
/// @param left bandwidth of each link.
/// @param work counts what was looked at.
Numbers max_min_rates(const std::vector<const SharedFlow*>& flows, Numbers left, double& work);

/// Messages that start together, as often in a row.
struct Phase {
  std::vector<Flow> flows;
  double repeat = 1;
};

/// From the first rank that sends to the last that takes part.
struct PhaseSpan {
  double start = infinity, end = 0;
};

/// What a replay says.
struct ReplayTimes {
  Numbers finish;  ///< of each rank
  std::vector<PhaseSpan> phases;
};

/// Phases one after the other on each rank: a rank posts its messages of a step, waits until those
/// that it sends have left and those that it receives have arrived, and goes on. A message starts
/// when both have posted it, shares links max-min fairly, and arrives the latency of its route
/// after its last byte has left. Every rate is found anew whenever a message starts or leaves.
/// @param num_ranks also those of other jobs.
/// @param memory_bandwidth of messages inside a host.
/// @returns nothing if that takes too many steps, or ranks wait for each other for ever.
std::optional<ReplayTimes> replay(const std::vector<Phase>& phases, std::size_t num_ranks,
                                  const std::vector<Link>& links, double memory_bandwidth);

}  // namespace vtopo::detail::checking
