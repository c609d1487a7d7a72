#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/clock/sharing/flows.hpp"

namespace vtopo::detail {

/// Flows that start together and the links that they share, numbered densely from 0. A flow at rate
/// r takes r times its share of each of its links.
struct SharedFlows {
  std::vector<double> volume;        ///< bytes, > 0
  std::vector<std::uint64_t> first;  ///< one more than flows: where the links of a flow begin
  std::vector<std::int32_t> links;   ///< of all flows, one after the other
  std::vector<double> capacity;      ///< of each link, bytes per second, > 0
  std::vector<double> shares = {};   ///< one per entry of `links`, > 0; empty: all of them are 1

  std::size_t num_flows() const { return volume.size(); }

  std::span<const std::int32_t> links_of(std::size_t flow) const {
    return {links.data() + first[flow], links.data() + first[flow + 1]};
  }

  /// Of the flow whose links the entry of `links` is among.
  double share(std::uint64_t entry) const { return shares.empty() ? 1 : shares[entry]; }
};

/// Flows of an embedding for the solver, in the order of `for_each_flow`, with what the result
/// needs.
struct FlowPhase {
  SharedFlows shared;
  std::vector<Flow> flows;
  std::vector<LocalMessage> local;
};

/// A fatpipe link gives its bandwidth whole to each flow: it becomes a link of that flow alone.
/// @throws InputError if a route that a flow needs does not exist, SimulationError if the flows
/// need more memory than the machine has.
FlowPhase make_flow_phase(const CommGraph& guest, const Network& network,
                          const Embedding& embedding);

}  // namespace vtopo::detail
