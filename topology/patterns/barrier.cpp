#include <fmt/format.h>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// The same messages without any volume: who has heard of whom.
CommunicationSteps empty_messages(CommunicationSteps steps) {
  steps.slot_share = 0;
  return steps;
}

}  // namespace

CommunicationSteps barrier_linear(int ranks, const Options& options) {
  return empty_messages(allreduce_linear(ranks, options));
}

CommunicationSteps barrier_binomial(int ranks, const Options& options) {
  return empty_messages(allreduce_reduce_bcast(ranks, options));
}

CommunicationSteps barrier_recursive_doubling(int ranks, const Options& options) {
  return empty_messages(allreduce_recursive_doubling(ranks, options));
}

/// Dissemination: D. Hensgen, R. Finkel, U. Manber, "Two Algorithms for Barrier Synchronization",
/// IJPP 17(1), 1988.
CommunicationSteps barrier_bruck(int ranks, const Options&) {
  CommunicationSteps result{0, 1, {}};
  for (const std::int64_t distance : distances(ranks, true)) {
    CommunicationStep step;
    step.name = fmt::format("distance {}", distance);
    step.effect = StepEffect::combine;
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + distance, ranks)});
    result.steps.push_back(std::move(step));
  }
  return result;
}

}  // namespace vtopo::detail::collectives
