#include <fmt/format.h>

#include <algorithm>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// Slot d of a rank is for the one d ranks further.
std::vector<int> slot_between(const StepMessage& message, int ranks) {
  return {modulo(std::int64_t{message.destination} - message.source, ranks)};
}

/// Everyone to those `first` to `last` ranks further.
CommunicationStep shifted(int ranks, std::int64_t first, std::int64_t last) {
  CommunicationStep step;
  for (int r = 0; r < ranks; ++r)
    for (std::int64_t k = first; k <= last; ++k) step.messages.push_back({r, modulo(r + k, ranks)});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slot_between(message, ranks);
  };
  return step;
}

CommunicationStep paired(int ranks, int bits) {
  CommunicationStep step;
  step.name = fmt::format("xor {}", bits);
  for (int r = 0; r < ranks; ++r) step.messages.push_back({r, r ^ bits});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slot_between(message, ranks);
  };
  return step;
}

}  // namespace

/// Partners by exclusive or, or to the k-th after and from the k-th before.
CommunicationSteps alltoall_pairwise(int ranks, const Options& options) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(ranks - 1, [ranks, pairs = options.order == "xor"](std::int64_t k) {
    if (pairs) return paired(ranks, static_cast<int>(k + 1));
    CommunicationStep step = shifted(ranks, k + 1, k + 1);
    step.name = fmt::format("distance {}", k + 1);
    return step;
  });
  return result;
}

/// All messages at once, each rank beginning behind itself; or those of a window after the other.
CommunicationSteps alltoall_linear(int ranks, const Options& options) {
  CommunicationSteps result{1, ranks, {}};
  const std::int64_t others = ranks - 1;
  const std::int64_t window =
      options.window == 0 ? others : std::min<std::int64_t>(options.window, others);
  result.steps.append((others - 1) / window + 1, [=](std::int64_t k) {
    CommunicationStep step = shifted(ranks, k * window + 1, std::min((k + 1) * window, others));
    step.name = window == others ? "linear" : fmt::format("linear, part {}", k + 1);
    return step;
  });
  return result;
}

/// J. Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport
/// Message-Passing Systems", TPDS 8(11), 1997: what is still d ranks from its end travels by the
/// bits of d.
CommunicationSteps alltoall_bruck(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  for (const std::int64_t bit : distances(ranks, true)) {
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
    result.packings += 1;  // half of the slots are packed by the sender, and unpacked
  }
  result.packings += 3;  // slots are rotated before and turned round behind
  return result;
}

}  // namespace vtopo::detail::collectives
