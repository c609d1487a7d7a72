#pragma once

#include <functional>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/objective_state.hpp"

namespace vtopo::detail {

/// Problems with no more placements are solved by looking at all of them.
constexpr int max_placements = 100'000;

/// Ways to place ranks on the hosts of an allocation; of those above `max_placements` some.
double count_placements(int num_ranks, const Allocation& allocation);

/// Whether all placements of a problem can be looked at: they are few, and routes do not follow
/// from the traffic.
bool has_few_placements(const MappingProblem& problem);

/// Calls `visit` with every placement, each once, the hosts of the first ranks varying slowest,
/// until it must stop. The state knows the cost of the placement, but for rounding.
/// @param start any embedding.
void visit_placements(const MappingProblem& problem, const SearchControl& control,
                      const Objective& objective, const Embedding& start,
                      const std::function<void(const ObjectiveState&)>& visit);

/// Whether the first value that differs by more than rounding is smaller in `a`, which may be
/// longer.
bool costs_less(const Cost& a, const Cost& b);

}  // namespace vtopo::detail
