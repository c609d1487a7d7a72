#include "sim/mapping/search/refinement.hpp"

namespace vtopo {

Embedding start_of(const MapperInfo& refiner, const MappingProblem& problem) {
  if (problem.start != nullptr) return *problem.start;
  MappingProblem start = problem;
  start.progress = nullptr;
  return run_mapper({option_value(refiner, problem, "start"), {}}, start);
}

Embedding better_of(const MappingProblem& problem, const Objective& objective, Embedding start,
                    Embedding refined) {
  if (start == refined) return start;
  const Cost before = cost_of(objective, problem.guest, problem.host, start);
  const Cost after = cost_of(objective, problem.guest, problem.host, refined);
  return after < before ? refined : start;
}

bool lowers_hops_only(const MappingProblem& problem) {
  return is_hop_bytes(problem.objective) && !problem.host.splits_flows();
}

}  // namespace vtopo
