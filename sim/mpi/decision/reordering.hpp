#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/decision/iteration.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "topology/base/ids.hpp"

namespace vtopo::detail::overlay {

/// What a constructor did with the ranks.
struct Reordering {
  std::vector<Rank> old_ranks;  ///< by new rank
  std::string mapper = {};      ///< that made the new order, or was chosen; empty: none
  std::optional<Bytes> hop_bytes_before = {};  ///< in the old order, 1 byte per edge or its weight
  std::optional<Bytes> hop_bytes_after = {};   ///< in the new order
  std::string kept_because = {};               ///< why the order is kept; empty: it is not
  /// Part of the time of an iteration that the new order saves; 0 where nothing is known.
  double predicted_gain = 0;
  std::optional<CollectiveChange> worst_collective = {};  ///< where ranks moved, if it is known
};

/// Chooses new ranks by the mapping engine, on the hosts on which the processes run; keeps the old
/// order where the new one is not better under the objective. Where none is chosen, that is the
/// time of an iteration (`Iteration`).
/// @param hosts by rank of the old communicator.
/// @param clock says how long an iteration takes; empty: bounds.
/// @throws UsageError if the mapper cannot map such a problem.
Reordering reorder(const ReorderProblem& problem, const Network& network,
                   std::span<const HostId> hosts, const MappingChoice& choice,
                   const ProgramClock& clock = {});

/// The old order, with its hop-bytes.
/// @param network null: no hop-bytes.
Reordering keep_order(const ReorderProblem& problem, const Network* network,
                      std::span<const HostId> hosts, std::string_view because);

/// Appends one line of JSON about a constructor's call to the file of VTOPO_REPORT, if it is set.
/// @param call `cart_create` and so on.
/// @param old_size ranks of the old communicator.
/// @param seconds processor time that it took here; measured.
/// @throws InputError if the file cannot be written.
void report_constructor(std::string_view call, int old_size, const Reordering& reordering,
                        double seconds);

}  // namespace vtopo::detail::overlay
