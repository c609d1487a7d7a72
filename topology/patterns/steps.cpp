#include <fmt/format.h>

#include <algorithm>

#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

CommunicationStep backwards(CommunicationStep step, StepEffect effect) {
  step.effect = effect;
  step.same_flows_back = 0;
  for (StepMessage& message : step.messages) std::swap(message.source, message.destination);
  if (!step.slots) return step;
  step.slots = [slots = step.slots, last = step.rounds - 1](std::int64_t round,
                                                            const StepMessage& message) {
    return slots(last - round, {message.destination, message.source, message.slots});
  };
  return step;
}

}  // namespace

int modulo(std::int64_t value, int ranks) {
  const std::int64_t rest = value % ranks;
  return static_cast<int>(rest < 0 ? rest + ranks : rest);
}

std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots) {
  std::vector<int> slots;
  for (std::int64_t i = 0; i < count; ++i) slots.push_back(modulo(first + i, num_slots));
  return slots;
}

CommunicationStep ring_step(int ranks, int start, int slots) {
  CommunicationStep step;
  step.rounds = ranks - 1;
  for (int r = 0; r < ranks; ++r)
    step.messages.push_back({r, modulo(r + std::int64_t{1}, ranks), slots});
  step.slots = [=](std::int64_t round, const StepMessage& message) {
    const int block = modulo(message.source + start - round, ranks);
    return slots_from(std::int64_t{block} * slots, slots, ranks * slots);
  };
  return step;
}

StepSequence reversed(const StepSequence& steps, StepEffect effect) {
  StepSequence result;
  result.append(steps.size(), [steps, effect](std::int64_t k) {
    return backwards(steps[steps.size() - 1 - k], effect);
  });
  return result;
}

StepSequence of_whole_buffer(const StepSequence& steps, int slots) {
  StepSequence result;
  result.append(steps.size(), [steps, slots](std::int64_t k) {
    CommunicationStep step = steps[k];
    step.slots = nullptr;
    for (StepMessage& message : step.messages) message.slots = slots;
    return step;
  });
  return result;
}

StepSequence named(std::string_view what, const StepSequence& steps) {
  StepSequence result;
  result.append(steps.size(), [what = std::string(what), steps](std::int64_t k) {
    CommunicationStep step = steps[k];
    step.name = what + (step.name.empty() ? "" : ", ") + step.name;
    return step;
  });
  return result;
}

std::vector<std::int64_t> distances(int ranks, bool doubling) {
  std::vector<std::int64_t> result;
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) result.push_back(distance);
  if (!doubling) std::reverse(result.begin(), result.end());
  return result;
}

bool doubling(const Options& options) {
  return options.order == "distance_doubling";
}

StepSequence from_root(int ranks, int root, int window, bool blocks) {
  const int at_once = window == 0 ? ranks - 1 : std::min(window, ranks - 1);
  StepSequence steps;
  steps.append((ranks - 2) / at_once + 1, [=](std::int64_t k) {
    CommunicationStep step;
    step.name = at_once == ranks - 1 ? "linear" : fmt::format("linear, part {}", k + 1);
    for (std::int64_t v = k * at_once + 1; v <= (k + 1) * at_once && v < ranks; ++v)
      step.messages.push_back({root, modulo(v + root, ranks)});
    if (blocks)
      step.slots = [=](std::int64_t, const StepMessage& message) {
        return std::vector{modulo(std::int64_t{message.destination} - root, ranks)};
      };
    return step;
  });
  return steps;
}

}  // namespace vtopo::detail::collectives
