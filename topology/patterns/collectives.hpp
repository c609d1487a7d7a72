#pragma once

#include <span>
#include <string_view>

#include "topology/patterns/communication_steps.hpp"

namespace vtopo {

/// A way to do a collective operation with messages between two ranks. R. Thakur, R. Rabenseifner,
/// W. Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1), 2005,
/// describes all but the ring of reductions, which is of P. Patarasuk, X. Yuan, "Bandwidth Optimal
/// All-reduce Algorithms for Clusters of Workstations", JPDC 69(2), 2009.
struct CollectiveAlgorithm {
  std::string_view collective;
  std::string_view name;
  bool powers_of_two_only = false;
  /// @param ranks of the communicator, >= 2.
  /// @param root of collectives that have one.
  CommunicationSteps (*steps)(int ranks, int root) = nullptr;
};

/// All of them; the first of a collective is the one that is taken when none is named.
///
/// Volumes, as the arguments of the MPI function have them, slots in brackets:
/// - `allreduce`, `reduce`: the vector of a rank (`ring`: a slot per rank, `rabenseifner`: one per
///   rank that takes part, else a single one);
/// - `broadcast`: the message (`scatter_allgather`: a slot per rank, by distance from the root);
/// - `allgather`: what each rank contributes (slot r of rank r);
/// - `alltoall`: what each rank sends to each other one (slot d goes d ranks further; `pairwise`
///   and `linear` send from one buffer and receive into another, `bruck` has one).
/// Slots of a vector are equal shares of it and need not be whole bytes.
std::span<const CollectiveAlgorithm> collective_algorithms();

}  // namespace vtopo
