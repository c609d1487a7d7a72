#pragma once

#include <functional>
#include <vector>

#include "topology/comm_graph.hpp"
#include "topology/communicator.hpp"

namespace vtopo {

/// What a constructor asks when ranks may be reordered.
struct ReorderRequest {
  const Communicator& communicator;  ///< the old one: which processes there are
  const VirtualTopology& topology;   ///< over the new ranks
  const CommGraph&
      guest;  ///< one exchange over `topology`: 1 byte per edge, or its weight in bytes
};

/// Chooses which process gets which new rank: entry r of the answer is the rank in the old
/// communicator of the process that becomes rank r of the new one. As many entries as the virtual
/// topology has ranks; each old rank at most once. An empty function stands for `reorder = false`:
/// rank r stays r.
using Reorderer = std::function<std::vector<Rank>(const ReorderRequest&)>;

/// Group of the new communicator that carries `topology`: the first processes of the old one, or
/// those that the reorderer chose.
/// @throws MpiError (MPI_ERR_OTHER) if the reorderer's answer is no such choice, and whatever it
/// throws.
ProcessGroup reordered_group(const Communicator& communicator, const VirtualTopology& topology,
                             const Reorderer& reorder);

}  // namespace vtopo
