#pragma once

#include <cstdint>
#include <functional>

#include "netmodels/process/child_process.hpp"
#include "sim/clock/simgrid/replay.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"

namespace vtopo::detail {

/// What the child reports to its parent, once: `finished`, then finish times (doubles, one per
/// rank), traffic (SentTraffic), the number of records and each as rank, time, key and values; or
/// one of the others with its sentence.
enum class RankReport : int { finished, deadlock, failed };

/// What a rank sent to another one in sum.
struct SentTraffic {
  Rank source{};
  Rank destination{};
  double bytes = 0;
  std::int64_t messages = 0;
};

/// Stack of each of so many ranks.
inline int stack_kib(const RankOptions& options, int num_ranks) {
  return options.stack_kib.value_or(num_ranks > max_guarded_actors ? 32 : 8192);
}

/// Runs all ranks on SimGrid, in this process: the whole of SimGrid's life, meant for a child.
/// Internal: SimGrid types appear only in its source.
void simulate_ranks(const Channel& channel, const Network& network, const Embedding& embedding,
                    const RankOptions& options,
                    const std::function<void(const SimulatedRank&)>& function);

}  // namespace vtopo::detail
