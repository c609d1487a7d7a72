#include "sim/mapping/search/refinement.hpp"

namespace vtopo::detail {

Embedding start_of(const MapperInfo& refiner, const MappingProblem& problem,
                   const SearchControl& control) {
  if (control.start != nullptr) return *control.start;
  return run_mapper({option_value(refiner, problem, "start"), {}}, problem,
                    control.without_progress());
}

Embedding better_of(const MappingProblem& problem, const Objective& objective, Embedding start,
                    Embedding refined) {
  if (start == refined) return start;
  const Cost before = cost_of(objective, problem.guest, problem.host, start);
  const Cost after = cost_of(objective, problem.guest, problem.host, refined);
  if (after < before) return refined;
  return start;
}

bool lowers_hops_only(const MappingProblem& problem) {
  return is_hop_bytes(problem.objective) && !problem.host.splits_flows();
}

}  // namespace vtopo::detail
