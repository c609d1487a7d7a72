#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/comm_graph.hpp"
#include "topology/progress.hpp"

namespace vtopo {

/// SimGrid network models: CM02 shares bandwidth max-min fairly and nothing else; LV08 and SMPI
/// apply SimGrid's corrections for TCP and MPI.
enum class NetworkModel { cm02, lv08, smpi };

/// @throws UsageError for a name other than CM02, LV08, SMPI.
NetworkModel parse_network_model(std::string_view name);
/// Its name as above.
std::string to_string(NetworkModel model);

/// How to replay; the defaults are those of the command.
struct SimulationOptions {
  NetworkModel model = NetworkModel::cm02;
  /// Of messages inside a host, > 0; infinity: they finish at once.
  BytesPerSecond loopback_bandwidth{std::numeric_limits<double>::infinity()};
  Progress progress = {};  ///< share of flows that have finished
  /// `Metrics::max_congestion` of the same embedding where it is known already; else `simulate`
  /// evaluates for its scale.
  std::optional<Seconds> static_bound = {};
};

/// What the clock said.
struct SimulationResult {
  Seconds makespan;                  ///< the last finish over all ranks
  std::vector<Seconds> rank_finish;  ///< last finish of a flow that the rank sends or receives
  Seconds wall_seconds;              ///< measured, of the simulation alone
};

/// Sentence on why `simulate` refuses a network: it splits flows over several routes, which SimGrid
/// cannot. Nothing if it does not refuse.
std::optional<std::string> why_not_simulated(const Network& network);

/// Timed replay on SimGrid: one actor per rank, every guest edge one flow, all flows start at once.
/// Under CM02 the fluid model runs with zero latency and the latencies of a flow's links are added
/// to its finish time; volumes are scaled so that the static bound is 5 to 10 s inside SimGrid,
/// whose precision is absolute. The other models see volumes and latencies as they are, volumes
/// rounded to whole bytes. Messages inside a host never reach SimGrid. Runs in a forked child, so
/// that nothing SimGrid does can end this process.
/// @throws UsageError for a loopback bandwidth that is not > 0 and for a network that may split
/// flows over several routes, which SimGrid cannot do; InputError for a volume of 2^63 bytes or
/// more under models other than CM02; SimulationError with SimGrid's own words if the child fails.
SimulationResult simulate(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const SimulationOptions& options);

/// Version of the SimGrid library that is linked, such as `3.32.0`.
std::string simgrid_version();

}  // namespace vtopo
