#include <fmt/format.h>

#include <bit>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::collectives {

namespace {

/// Slot d of a rank is for the one d ranks further.
std::vector<int> slot_between(const StepMessage& message, int ranks) {
  return {modulo(std::int64_t{message.destination} - message.source, ranks)};
}

}  // namespace

/// Partners by exclusive or where that pairs all ranks, else to the k-th after and from the k-th
/// before.
CommunicationSteps alltoall_pairwise(int ranks, int) {
  const bool pairs = std::has_single_bit(static_cast<unsigned>(ranks));
  CommunicationSteps result{1, ranks, {}};
  for (int k = 1; k < ranks; ++k) {
    CommunicationStep step;
    step.name = fmt::format("{} {}", pairs ? "xor" : "distance", k);
    for (int r = 0; r < ranks; ++r)
      step.messages.push_back({r, pairs ? r ^ k : modulo(std::int64_t{r} + k, ranks)});
    step.slots = [ranks](std::int64_t, const StepMessage& message) {
      return slot_between(message, ranks);
    };
    result.steps.push_back(std::move(step));
  }
  return result;
}

/// All messages at once, each rank beginning behind itself.
CommunicationSteps alltoall_linear(int ranks, int) {
  CommunicationStep step;
  step.name = "linear";
  for (int r = 0; r < ranks; ++r)
    for (int k = 1; k < ranks; ++k)
      step.messages.push_back({r, modulo(std::int64_t{r} + k, ranks)});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slot_between(message, ranks);
  };
  return {1, ranks, {std::move(step)}};
}

/// J. Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport
/// Message-Passing Systems", TPDS 8(11), 1997: what is still d ranks from its end travels by the
/// bits of d.
CommunicationSteps alltoall_bruck(int ranks, int) {
  CommunicationSteps result{1, ranks, {}};
  for (std::int64_t bit = 1; bit < ranks; bit *= 2) {
    const auto slots_of_bit = [=] {
      std::vector<int> slots;
      for (int slot = 0; slot < ranks; ++slot)
        if ((slot & bit) != 0) slots.push_back(slot);
      return slots;
    };
    const auto count = static_cast<std::int64_t>(slots_of_bit().size());
    CommunicationStep step;
    step.name = fmt::format("distance {}", bit);
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + bit, ranks), count});
    step.slots = [=](std::int64_t, const StepMessage&) { return slots_of_bit(); };
    result.steps.push_back(std::move(step));
  }
  return result;
}

}  // namespace vtopo::collectives
