#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/mpi/settings.hpp"
#include "sim/mpi/smpi.hpp"
#include "topology/reorderer.hpp"

namespace vtopo::overlay {

/// What a constructor did with the ranks.
struct Reordering {
  std::vector<Rank> old_ranks;            ///< by new rank
  std::string mapper;                     ///< empty: the order was to be kept
  std::optional<Bytes> hop_bytes_before;  ///< in the old order, 1 byte per edge or its weight
  std::optional<Bytes> hop_bytes_after;   ///< in the new order
};

/// Chooses new ranks by the mapping engine, on the hosts on which the processes run; keeps the old
/// order where the new one is not better under the objective. Where none is chosen, hop-bytes are
/// lowered, then congestion, and the first answer counts by which no figure of `ExchangeCost` grows.
/// @param hosts by rank of the old communicator.
/// @throws UsageError if the mapper cannot map such a problem.
Reordering reorder(const ReorderRequest& request, const Network& network,
                   std::span<const HostId> hosts, const MappingChoice& choice);

/// The old order, with its hop-bytes.
/// @param network null: no hop-bytes.
Reordering keep_order(const ReorderRequest& request, const Network* network,
                      std::span<const HostId> hosts);

}  // namespace vtopo::overlay
