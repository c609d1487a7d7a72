#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::collectives {

namespace {

/// The largest distance of a binomial tree.
std::int64_t first_distance(int ranks) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<unsigned>(ranks)) / 2);
}

/// Step of the tree in which everyone who is `2*distance` times some number behind the root has
/// something for the one `distance` further.
/// @param slots of the message to the rank that is so far behind the root.
template <class Slots>
CommunicationStep tree_step(int ranks, int root, std::int64_t distance, Slots slots) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", distance);
  for (std::int64_t from = 0; from + distance < ranks; from += 2 * distance)
    step.messages.push_back({modulo(from + root, ranks), modulo(from + distance + root, ranks),
                             slots(from + distance)});
  return step;
}

std::int64_t one_slot(std::int64_t) {
  return 1;
}

}  // namespace

CommunicationSteps broadcast_binomial(int ranks, int root) {
  CommunicationSteps result;
  for (std::int64_t distance = first_distance(ranks); distance >= 1; distance /= 2)
    result.steps.push_back(tree_step(ranks, root, distance, one_slot));
  return result;
}

/// R. van de Geijn: a binomial scatter, then a ring; slot s is that of the rank s behind the root.
CommunicationSteps broadcast_scatter_allgather(int ranks, int root) {
  CommunicationSteps result{1.0 / ranks, ranks, {}};
  for (std::int64_t distance = first_distance(ranks); distance >= 1; distance /= 2) {
    auto step = tree_step(ranks, root, distance,
                          [=](std::int64_t to) { return std::min(distance, ranks - to); });
    step.name = "scatter, " + step.name;
    step.slots = [=](std::int64_t, const StepMessage& message) {
      const int to = modulo(std::int64_t{message.destination} - root, ranks);
      return slots_from(to, message.slots, ranks);
    };
    result.steps.push_back(std::move(step));
  }
  result.steps.push_back(ring_step(ranks, modulo(-std::int64_t{root}, ranks)));
  result.steps.back().name = "ring allgather";
  return result;
}

/// The tree of the broadcast from the leaves to the root.
CommunicationSteps reduce_binomial(int ranks, int root) {
  CommunicationSteps result = broadcast_binomial(ranks, root);
  std::reverse(result.steps.begin(), result.steps.end());
  for (CommunicationStep& step : result.steps) {
    step.effect = StepEffect::combine;
    for (StepMessage& message : step.messages) std::swap(message.source, message.destination);
  }
  return result;
}

}  // namespace vtopo::collectives
