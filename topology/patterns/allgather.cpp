#include <fmt/format.h>

#include <algorithm>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::collectives {

CommunicationSteps allgather_ring(int ranks, int) {
  CommunicationSteps result{1, ranks, {ring_step(ranks, 0)}};
  result.steps[0].name = "ring";
  return result;
}

CommunicationSteps allgather_recursive_doubling(int ranks, int) {
  CommunicationSteps result{1, ranks, {}};
  for (int distance = 1; distance < ranks; distance *= 2) {
    CommunicationStep step;
    step.name = fmt::format("distance {}", distance);
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, r ^ distance, distance});
    step.slots = [=](std::int64_t, const StepMessage& message) {
      return slots_from(message.source / distance * distance, distance, ranks);
    };
    result.steps.push_back(std::move(step));
  }
  return result;
}

/// Rank r has the slots r, r+1, ...; twice as many after each step.
CommunicationSteps allgather_bruck(int ranks, int) {
  CommunicationSteps result{1, ranks, {}};
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    const std::int64_t count = std::min(distance, ranks - distance);
    CommunicationStep step;
    step.name = fmt::format("distance {}", distance);
    for (int r = 0; r < ranks; ++r)
      step.messages.push_back({r, modulo(r - distance, ranks), count});
    step.slots = [=](std::int64_t, const StepMessage& message) {
      return slots_from(message.source, count, ranks);
    };
    result.steps.push_back(std::move(step));
  }
  return result;
}

}  // namespace vtopo::collectives
