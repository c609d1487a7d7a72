#include <fmt/format.h>

#include <bit>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::collectives {

namespace {

/// The largest power of two of ranks that is there. In front, the first even ranks, one for each
/// rank too many, hand what they have to the next odd rank; behind, they get the result from it.
/// So MPICH does it for all numbers of ranks that are no power of two.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(int ranks)
      : size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        surplus_(ranks - size_) {}

  int size() const { return size_; }

  /// Rank of the n-th that takes part.
  int rank(int n) const { return n < surplus_ ? 2 * n + 1 : n + surplus_; }

  /// Which one of those that take part a rank is.
  int place(int rank) const { return rank < 2 * surplus_ ? rank / 2 : rank - surplus_; }

  void add_fold(int slots, std::vector<CommunicationStep>& steps) const {
    if (surplus_ == 0) return;
    CommunicationStep step{"to a power of two", 1, StepEffect::combine, {}, nullptr};
    for (int i = 0; i < surplus_; ++i) step.messages.push_back({2 * i, 2 * i + 1, slots});
    steps.push_back(std::move(step));
  }

  void add_unfold(int slots, std::vector<CommunicationStep>& steps) const {
    if (surplus_ == 0) return;
    CommunicationStep step{"from a power of two", 1, StepEffect::replace, {}, nullptr};
    for (int i = 0; i < surplus_; ++i) step.messages.push_back({2 * i + 1, 2 * i, slots});
    steps.push_back(std::move(step));
  }

  /// Everyone who takes part with the one whose number differs in one bit.
  CommunicationStep exchange(std::string_view what, int distance, int slots) const {
    CommunicationStep step;
    step.name = fmt::format("{}{}distance {}", what, what.empty() ? "" : ", ", distance);
    for (int n = 0; n < size_; ++n) step.messages.push_back({rank(n), rank(n ^ distance), slots});
    return step;
  }

 private:
  int size_;
  int surplus_;
};

/// First slot of the range that the n-th reduces after exchanges at distances below `distance`:
/// each halved the range, and a set bit took the upper half.
int range_start(int n, int distance, int size) {
  int start = 0;
  for (int bit = 1, half = size / 2; bit < distance; bit *= 2, half /= 2)
    if ((n & bit) != 0) start += half;
  return start;
}

}  // namespace

CommunicationSteps allreduce_recursive_doubling(int ranks, int) {
  const PowerOfTwo part(ranks);
  CommunicationSteps result;
  part.add_fold(1, result.steps);
  for (int distance = 1; distance < part.size(); distance *= 2) {
    result.steps.push_back(part.exchange("", distance, 1));
    result.steps.back().effect = StepEffect::combine;
  }
  part.add_unfold(1, result.steps);
  return result;
}

CommunicationSteps allreduce_rabenseifner(int ranks, int) {
  const PowerOfTwo part(ranks);
  const int size = part.size();
  CommunicationSteps result{1.0 / size, size, {}};
  part.add_fold(size, result.steps);
  for (int distance = 1; distance < size; distance *= 2) {
    const int half = size / distance / 2;
    auto step = part.exchange("reduce-scatter", distance, half);
    step.effect = StepEffect::combine;
    step.slots = [=](std::int64_t, const StepMessage& message) {
      const int n = part.place(message.source);
      const bool keeps_upper = (n & distance) != 0;
      return slots_from(range_start(n, distance, size) + (keeps_upper ? 0 : half), half, size);
    };
    result.steps.push_back(std::move(step));
  }
  for (int distance = size / 2; distance >= 1; distance /= 2) {
    const int half = size / distance / 2;
    auto step = part.exchange("allgather", distance, half);
    step.slots = [=](std::int64_t, const StepMessage& message) {
      return slots_from(range_start(part.place(message.source), 2 * distance, size), half, size);
    };
    result.steps.push_back(std::move(step));
  }
  part.add_unfold(size, result.steps);
  return result;
}

CommunicationSteps allreduce_ring(int ranks, int) {
  CommunicationSteps result{1.0 / ranks, ranks, {ring_step(ranks, 0), ring_step(ranks, 1)}};
  result.steps[0].name = "ring reduce-scatter";
  result.steps[0].effect = StepEffect::combine;
  result.steps[1].name = "ring allgather";
  return result;
}

}  // namespace vtopo::collectives
