#include "topology/patterns/power_of_two.hpp"

#include <fmt/format.h>

#include <bit>

#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// Blocks of all that agree with the n-th in some bits.
std::vector<int> blocks_agreeing(const PowerOfTwo& part, int n, int bits, bool per_rank) {
  std::vector<int> blocks;
  for (int m = 0; m < part.size(); ++m) {
    if (((m ^ n) & bits) != 0) continue;
    if (!per_rank) blocks.push_back(m);
    if (per_rank)
      for (const int rank : part.members(m)) blocks.push_back(rank);
  }
  return blocks;
}

/// How many they are, by the bits in which they agree.
std::vector<std::int64_t> counts_agreeing(const PowerOfTwo& part, int bits, bool per_rank) {
  std::vector<std::int64_t> counts(index(part.size()), 0);
  for (int m = 0; m < part.size(); ++m)
    counts[index(m & bits)] += per_rank && m < part.surplus() ? 2 : 1;
  return counts;
}

/// @param bits in which partners have agreed before, and that of `distance`.
CommunicationStep halving_step(const PowerOfTwo& part, int distance, int bits, bool per_rank) {
  CommunicationStep step = part.exchange(distance, 1);
  step.effect = StepEffect::combine;
  const auto counts = counts_agreeing(part, bits, per_rank);
  for (StepMessage& message : step.messages)
    message.slots = counts[index(part.place(message.destination) & bits)];
  step.slots = [=](std::int64_t, const StepMessage& message) {
    return blocks_agreeing(part, part.place(message.destination), bits, per_rank);
  };
  return step;
}

}  // namespace

PowerOfTwo::PowerOfTwo(int ranks, int always)
    : size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
      surplus_(ranks - size_),
      always_(always) {}

int PowerOfTwo::rank(int n) const {
  if (n >= surplus_) return n + surplus_;
  return 2 * n == always_ ? always_ : 2 * n + 1;
}

std::vector<int> PowerOfTwo::members(int n) const {
  if (n >= surplus_) return {rank(n)};
  return {2 * n, 2 * n + 1};
}

StepSequence PowerOfTwo::fold(int slots) const {
  StepSequence steps;
  if (surplus_ == 0) return steps;
  CommunicationStep step{"to a power of two", 1, StepEffect::combine, {}, nullptr};
  for (int n = 0; n < surplus_; ++n) step.messages.push_back({outsider(n), rank(n), slots});
  steps.push_back(std::move(step));
  return steps;
}

StepSequence PowerOfTwo::unfold(int slots) const {
  StepSequence steps;
  if (surplus_ == 0) return steps;
  CommunicationStep step{"from a power of two", 1, StepEffect::replace, {}, nullptr};
  for (int n = 0; n < surplus_; ++n) step.messages.push_back({rank(n), outsider(n), slots});
  steps.push_back(std::move(step));
  return steps;
}

CommunicationStep PowerOfTwo::exchange(int distance, int slots) const {
  CommunicationStep step;
  step.name = fmt::format("distance {}", distance);
  for (int n = 0; n < size_; ++n) step.messages.push_back({rank(n), rank(n ^ distance), slots});
  return step;
}

StepSequence PowerOfTwo::halving(bool doubling, bool per_rank) const {
  StepSequence steps;
  int bits = 0;
  for (const std::int64_t distance : distances(size_, doubling)) {
    const int bit = static_cast<int>(distance);
    bits |= bit;
    steps.append(1, [part = *this, bit, bits, per_rank](std::int64_t) {
      return halving_step(part, bit, bits, per_rank);
    });
  }
  return steps;
}

}  // namespace vtopo::detail::collectives
