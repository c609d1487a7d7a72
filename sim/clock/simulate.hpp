#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/endpoint_properties.hpp"
#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/progress.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// What a message costs at its ends, beside the network (after the LogGPS model of F. Ino, N.
/// Fujimoto, K. Hagihara, PPoPP 2001). The defaults cost nothing.
struct EndpointCosts {
  Seconds overhead{0};  ///< of the processor for each message, at its sender and at its receiver
  /// Instead of the overhead, of each further message that a rank sends before it waits, and of
  /// each further one that it takes in one wait: what the processor is busy with, while the rest of
  /// the overhead passes for several messages at once. Above the overhead: as that.
  Seconds gap{std::numeric_limits<double>::infinity()};
  /// Up to this volume a message leaves without waiting for its receiver; larger ones start when
  /// both sides have posted them. Negative: none leaves before.
  Bytes eager_limit{-1};
  /// Of both processors before a message above the eager limit starts, from the later post on; its
  /// request and the answer cross the route before. None: the message starts at once.
  Seconds handshake{0};
  /// Of messages between ranks of one host, > 0.
  BytesPerSecond memory_bandwidth{std::numeric_limits<double>::infinity()};
  /// Bytes reduced in a second by a rank, > 0.
  BytesPerSecond reduction_bandwidth{std::numeric_limits<double>::infinity()};

  /// What the next message costs after so many that the rank has sent, or taken, right before it.
  Seconds overhead_after(int messages) const {
    return messages == 0 ? overhead : std::min(gap, overhead);
  }
  /// Until a message above the eager limit starts, over a route of that latency.
  Seconds handshake_over(Seconds latency) const {
    return handshake.value == 0 ? handshake : handshake + latency * 2.0;
  }
  /// Of so many messages, one right after the other.
  Seconds overhead_of(int messages) const;
};

/// Costs of a scenario: what the user says, else what the machine's description says, else none.
/// @throws UsageError for a user's gap above the overhead.
EndpointCosts endpoint_costs(const EndpointProperties& user, const EndpointProperties& machine);

/// Whether messages between hosts start when both sides have posted them, and nothing but the
/// network takes time.
bool is_free(const EndpointCosts& costs);

/// SimGrid network models: CM02 shares bandwidth max-min fairly and nothing else; LV08 and SMPI
/// apply SimGrid's corrections for TCP and MPI.
enum class NetworkModel { cm02, lv08, smpi };

/// @throws UsageError for a name other than CM02, LV08, SMPI.
NetworkModel parse_network_model(std::string_view name);
/// Its name as above.
std::string to_string(NetworkModel model);

/// Who simulates the flows: SimGrid, any model; or vtopo's own solver of the same max-min sharing,
/// CM02 only, whose finish times agree with SimGrid's, which is hundreds of times faster and which
/// has flows that split; or the second wherever it can.
enum class Solver { simgrid, fast, automatic };

/// @throws UsageError for a name other than auto, fast, simgrid.
Solver parse_solver(std::string_view name);
/// Its name as above.
std::string to_string(Solver solver);

/// The solver that simulates under that model: never `automatic`. CM02 is fast on every network,
/// shared links and fatpipes.
/// @throws UsageError for a model that the solver does not have.
Solver chosen_solver(Solver solver, NetworkModel model);

/// How to replay; the defaults are those of the command.
struct SimulationOptions {
  NetworkModel model = NetworkModel::cm02;  ///< how flows share links; the fast solver has CM02
  /// Of messages inside a host, > 0; infinity: they finish at once.
  BytesPerSecond loopback_bandwidth{std::numeric_limits<double>::infinity()};
  Progress progress = {};  ///< share of flows that have finished
  /// `Metrics::max_congestion` of the same embedding where it is known already; else `simulate`
  /// evaluates for its scale: times are exact to about 1e-10 of it.
  std::optional<Seconds> static_bound = {};
  Solver solver = Solver::simgrid;  ///< who simulates the flows
  /// On the wall, of SimGrid; absent: a day. The fast solver has it in `stop` (`stop_or_limit`).
  std::optional<Seconds> time_limit = {};
  /// Of SimGrid, addresses on top of what this process has; absent: as much as the machine has
  /// memory, beside the stacks of ranks.
  std::optional<Bytes> memory_limit = {};
  std::function<bool()> stop = {};  ///< asked by the fast solver now and then; empty: never
};

/// What the clock said.
struct SimulationResult {
  Seconds makespan;                  ///< the last finish over all ranks
  std::vector<Seconds> rank_finish;  ///< last finish of a flow that the rank sends or receives
  Seconds wall_seconds;              ///< measured, of the simulation alone
  /// Of edges with a volume between two hosts, in the order of the edges.
  std::vector<Seconds> flow_finish = {};
  /// Of programs, one entry per rank: time in local work and in overheads of messages.
  std::vector<Seconds> rank_computing = {};
  std::vector<Seconds> rank_waiting = {};  ///< likewise: for messages and for other ranks
  /// Of the fast solver: links of flows that were given their rate, each time again. Equal
  /// simulations have equal numbers, and take about as long in processor time.
  std::uint64_t num_updates = 0;
  /// Of the fast solver: relative error of the ends of many flows with different volumes; 0: none.
  double tolerance = 0;
  /// Where it found ends in batches the makespan is certain to be between; else both are 0.
  Seconds at_least{0};
  Seconds at_most{0};  ///< see `at_least`
};

/// For `SimulationOptions::stop` and `ProgramOptions::stop`: `stop`, and an error once so much time
/// has passed from now on.
/// @throws SimulationError then, from what is returned.
std::function<bool()> stop_or_limit(std::function<bool()> stop, std::optional<Seconds> time_limit);

/// Sentence on why `simulate` refuses a network: it splits flows over several routes, which SimGrid
/// cannot. Nothing if it does not refuse.
/// @param solver as `chosen_solver` returns it.
std::optional<std::string> why_not_simulated(const Network& network, Solver solver);

/// Timed replay, by default on SimGrid: one actor per rank, every guest edge one flow, all flows
/// start at once. Under CM02 the fluid model runs with zero latency and the latencies of a flow's
/// links are added to its finish time; volumes are scaled so that the static bound is 5 to 10 s
/// inside SimGrid, whose precision is absolute. The other models see volumes and latencies as they
/// are, volumes rounded to whole bytes. Messages inside a host never reach SimGrid. Runs in a
/// forked child, so that nothing SimGrid does can end this process. The fast solver runs here and
/// scales nothing.
///
/// Where a network splits flows over several routes, the fast solver keeps the parts of a flow in
/// proportion: at rate r it takes r times `LinkShare::share` of each link, rates of whole flows are
/// max-min fair, and its latency is the mean over its routes, each by its part of the flow.
/// @throws UsageError for an embedding of another number of ranks or on hosts that the network does
/// not have, for a loopback bandwidth that is not > 0, for SimGrid and a network that may
/// split flows over several routes, which it cannot do, or a model that the solver does not have;
/// InputError for a volume of 2^63 bytes or more under models other than CM02; SimulationError with
/// SimGrid's own words if the child fails, or if the fast solver is told to stop or needs more
/// memory than there is.
SimulationResult simulate(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const SimulationOptions& options);

/// What the clock said of a schedule.
struct ScheduleTimes {
  /// Of all of it: `rank_finish` counts from the start of the schedule to the last message of the
  /// rank; no `flow_finish`.
  SimulationResult total;
  std::vector<SimulationResult> phases;  ///< of one step each; wall time 0 where it was known
};

/// Simulates one step of each phase; the others take as long, one after the other, and a step
/// starts when the one before has ended on every rank. A phase with the traffic of the one before
/// is not simulated again.
/// @param options of each phase; `static_bound` is not looked at.
/// @param static_bounds of the phases where known: one entry per phase, or none.
/// @throws as `simulate`.
ScheduleTimes simulate_schedule(const Schedule& schedule, const Network& network,
                                const Embedding& embedding, const SimulationOptions& options,
                                const std::vector<Seconds>& static_bounds = {});

}  // namespace vtopo
