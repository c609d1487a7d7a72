#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/clock/simgrid/simulated_rank.hpp"
#include "sim/clock/simulate.hpp"
#include "topology/base/error.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// How to run the ranks.
struct RankOptions {
  NetworkModel model = NetworkModel::cm02;  ///< of SimGrid
  /// Of messages inside a host, > 0; infinity: they take no time.
  BytesPerSecond loopback_bandwidth{std::numeric_limits<double>::infinity()};
  double flops_per_second = 1e9;  ///< of each rank, > 0
  /// Stack of each rank in KiB, 16 to 1048576; when absent 8192 for up to 4,096 ranks, which end
  /// in an error where it is too small, and 32 for more, where nothing guards it.
  std::optional<int> stack_kib = {};
  std::optional<Seconds> time_limit = {};  ///< on the wall; absent: a day
  /// Addresses on top of what this process has, stacks of ranks among them; absent: as much as the
  /// machine has memory, beside the stacks.
  std::optional<Bytes> memory_limit = {};
};

/// What a rank kept with SimulatedRank::record.
struct RankRecord {
  Rank rank{};                 ///< in the job
  Seconds time;                ///< simulated
  std::string key;             ///< as given to `record`
  std::vector<double> values;  ///< as given to `record`
};

/// What happened.
struct RankRun {
  Seconds makespan;                 ///< end of the last rank
  std::vector<Seconds> finish;      ///< end of each rank's function
  CommGraph traffic;                ///< bytes and messages in sum, one edge per pair
  std::vector<RankRecord> records;  ///< in the order of simulated time
};

/// All ranks that have not finished wait for each other; the message says who for whom.
class DeadlockError : public SimulationError {
 public:
  using SimulationError::SimulationError;
};

/// A rank function threw; the message has its rank, the simulated time and its words.
class RankFunctionError : public SimulationError {
 public:
  using SimulationError::SimulationError;
};

/// Runs `function` for every rank of the embedding on its host, by SimGrid's clock, without MPI.
/// Under CM02 bandwidth is shared max-min fairly at zero latency, and a message is received the
/// latencies of its links after its last byte has left; the sender goes on when it has left. The
/// other models see latencies as they are. Ranks run one at a time in a forked child: what the
/// function writes to variables of the caller is lost, `SimulatedRank::record` is not.
/// @throws UsageError for options outside their range and a network that may split flows;
/// DeadlockError, RankFunctionError; SimulationError with SimGrid's own words if the child fails or
/// with the limit that it hits.
RankRun run_ranks(const Network& network, const Embedding& embedding, const RankOptions& options,
                  const std::function<void(const SimulatedRank&)>& function);

}  // namespace vtopo
