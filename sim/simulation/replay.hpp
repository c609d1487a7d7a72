#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/child_process.hpp"
#include "sim/simulation/flows.hpp"
#include "sim/simulation/simulate.hpp"

namespace vtopo {

/// What a replaying child tells its parent: any number of `progress`, each followed by the share of
/// finished flows (double), then `finished` followed by a vector of doubles, the finish time of
/// every flow in seconds of SimGrid's clock. Nothing more if it fails.
enum class ReplayMessage : int { progress, finished };

/// Plays all flows on SimGrid, in this process: the whole of SimGrid's life, meant for a child.
/// Internal: SimGrid types appear only in its sources.
/// @param bytes of each flow, one entry per flow.
void replay_on_simgrid(const Channel& channel, const FlowSet& set,
                       const std::vector<std::uint64_t>& bytes, const Network& network,
                       const Embedding& embedding, NetworkModel model);

}  // namespace vtopo
