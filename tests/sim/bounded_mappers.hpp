#pragma once

#include <catch2/catch.hpp>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"

namespace vtopo::tests {

/// Checks that what every mapper makes of the problem keeps above the lower bounds; mappers that do
/// not apply say why.
/// @param visit is called with each that applies, its embedding and the metrics of this.
/// @return how many apply.
template <class Visit>
int check_mappers_above_bounds(const MappingProblem& problem, std::int64_t steps, Visit&& visit) {
  const auto bounds = lower_bounds(problem.guest, problem.network, problem.allocation);
  int applied = 0;
  for (const MapperInfo& mapper : all_mappers()) {
    CAPTURE(mapper.name);
    if (const auto reason = unsupported_reason({mapper.name, {}}, problem)) {
      CHECK(!reason->empty());
      continue;
    }
    const Embedding embedding = run_mapper({mapper.name, {}}, problem, {.steps = steps});
    const auto metrics = evaluate(problem.guest, problem.network, embedding);
    CHECK(bounds.hop_bytes <= metrics.hop_bytes);
    CHECK(bounds.congestion.value <= metrics.max_congestion.value * (1 + 1e-12));
    visit(mapper, embedding, metrics);
    ++applied;
  }
  return applied;
}

inline int check_mappers_above_bounds(const MappingProblem& problem, std::int64_t steps) {
  return check_mappers_above_bounds(problem, steps, [](const auto&...) {});
}

}  // namespace vtopo::tests
