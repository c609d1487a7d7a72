#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/error.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// The edges of a guest as SimGrid simulated them.
struct ReplayedFlows {
  std::vector<Flow> flows;
  std::vector<LocalMessage> local;
  std::vector<Seconds> finish;  ///< one entry per flow, its latency among them
};

/// SimGrid, the second opinion, which only the library vtopo::simgrid knows. The core works without
/// it, by its own solver.
struct SimgridClock {
  /// `simulate` by SimGrid; the options are valid.
  ReplayedFlows (*replay)(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const SimulationOptions& options) = nullptr;
  /// `simulate_program` by SimGrid, without costs of endpoints.
  ProgramTimes (*run_program)(const Program& program, const Network& network,
                              const Embedding& embedding,
                              const SimulationOptions& options) = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const SimgridClock vtopo_simgrid_clock;

/// @throws UsageError in a program without that library.
inline const SimgridClock& simgrid_clock() {
  if (&vtopo_simgrid_clock == nullptr)
    throw UsageError(
        "solver simgrid needs the library vtopo::simgrid, which this program was linked without");
  return vtopo_simgrid_clock;
}

}  // namespace vtopo::detail
