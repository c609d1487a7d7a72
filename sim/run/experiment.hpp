#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/background.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/run/load_network.hpp"
#include "sim/run/observer.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {
struct RankBalance;
struct Trace;
}  // namespace vtopo::detail

namespace vtopo {

/// Other jobs on the machine.
struct Background {
  PlacedTraffic traffic;  ///< what they send, from host to host
  std::string text;       ///< human-readable
};

/// What a scenario names, in memory.
struct Experiment {
  CommGraph guest = CommGraph();               ///< of a schedule or trace: all that it sends
  std::optional<Schedule> schedule;            ///< absent: all messages start at once
  std::shared_ptr<const detail::Trace> trace;  ///< what the ranks did in a recorded run; null: none
  std::optional<Cartesian> grid;               ///< the virtual topology, if it is a Cartesian grid
  std::shared_ptr<const Network> network;      ///< the interconnect with its edits
  EndpointCosts endpoint = {};                 ///< of messages, beside the network
  Allocation allocation;                       ///< the hosts of the job
  std::shared_ptr<const detail::RankBalance> balance;  ///< weights of ranks; null: all alike
  std::optional<Background> background;                ///< other jobs; absent: none
  std::string guest_text;                              ///< human-readable
  std::string network_text;                            ///< human-readable
  std::vector<std::string> assumptions = {};           ///< that the machine's file states
  bool knows_host_names = true;                             ///< see `LoadedNetwork::knows_host_names`
  double noise = 0;                                    ///< of the machine, as `Report::noise`
  bool recorded = false;  ///< the guest is a recorded total, not one exchange
};

/// @throws UsageError for missing options, FitError if the ranks do not fit into the allocation,
/// and whatever readers and models throw.
Experiment build_experiment(const Scenario& scenario, Observer& observer);

}  // namespace vtopo
