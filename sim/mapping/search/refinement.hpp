#pragma once

#include <string>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/mapping/state/objective_state.hpp"

namespace vtopo::detail {

/// The embedding that a refiner starts from: that of `control`, or one made by the mapper that its
/// option `start` names.
Embedding start_of(const MapperInfo& refiner, const MappingProblem& problem,
                   const SearchControl& control);

/// The embedding of lower cost, evaluated anew; `start` at a tie.
Embedding better_of(const MappingProblem& problem, const Objective& objective, Embedding start,
                    Embedding refined);

/// Whether hop-bytes alone count and follow from hops, so that `HopBytesState` will do.
bool lowers_hops_only(const MappingProblem& problem);

/// Calls `refine` with the state that knows the cost under the problem's objective soonest.
template <class Refine>
Embedding refine_state(const MappingProblem& problem, const Embedding& start, Refine&& refine) {
  if (lowers_hops_only(problem)) {
    const Partners partners(problem.guest);
    const HopTable table(problem.network, problem.allocation);
    HopBytesState state(partners, table, problem.allocation, start);
    return better_of(problem, problem.objective, start, refine(state));
  }
  ObjectiveState state(problem, start, problem.objective);
  return better_of(problem, problem.objective, start, refine(state));
}

/// Exchanges ranks, or moves them into free slots, while the hop-bytes fall: each rank with those
/// on the hosts of its partners and on hosts close to these. Never worse than its start; stops
/// early at the deadline or after the steps of `control`. On sparse guests moves towards partners
/// are the ones that gain much.
Embedding exchange_locally(const MappingProblem& problem, const SearchControl& control,
                           const Partners& partners, const HopTable& table,
                           const HostHierarchy& hierarchy, const Embedding& start);

}  // namespace vtopo::detail
