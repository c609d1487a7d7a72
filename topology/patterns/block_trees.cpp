#include <fmt/format.h>

#include <bit>

#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/trees.hpp"

namespace vtopo::detail::collectives {

namespace {

/// Ranks behind the root that a rank of a binomial tree, not the root, serves: itself, and every
/// `stride`-th one from it on, `count` in all.
struct Subtree {
  std::int64_t stride = 1;
  std::int64_t count = 1;
};

Subtree subtree_of(int child, int ranks, bool doubling) {
  const auto bits = static_cast<unsigned>(child);
  if (doubling) {
    const std::int64_t stride = std::int64_t{1} << std::bit_width(bits);
    return {stride, (ranks - 1 - child) / stride + 1};
  }
  const std::int64_t size = std::int64_t{1} << std::countr_zero(bits);
  return {1, std::min(size, std::int64_t{ranks} - child)};
}

/// A group of ranks, the lower half of which is complete, and where both halves begin.
struct Halves {
  std::int64_t lower, upper, end;
};

Halves halves_of(std::int64_t rank, std::int64_t half, int ranks) {
  const std::int64_t lower = rank / (2 * half) * (2 * half);
  return {lower, lower + half, std::min<std::int64_t>(lower + 2 * half, ranks)};
}

/// Blocks of the half that a rank is in.
std::vector<int> blocks_of_half(std::int64_t rank, std::int64_t half, int ranks) {
  const Halves halves = halves_of(rank, half, ranks);
  if (rank < halves.upper) return slots_from(halves.lower, half, ranks);
  return slots_from(halves.upper, halves.end - halves.upper, ranks);
}

/// The same rank with the root as rank 0.
std::int64_t behind(int rank, int root, int ranks) {
  return modulo(std::int64_t{rank} - root, ranks);
}

CommunicationStep exchange_of_halves(int ranks, int root, std::int64_t half) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", half);
  for (std::int64_t v = 0; v < ranks; ++v) {
    const std::int64_t to = v ^ half;
    if (to >= ranks) continue;
    const Halves halves = halves_of(v, half, ranks);
    step.messages.push_back({modulo(v + root, ranks), modulo(to + root, ranks),
                             v < halves.upper ? half : halves.end - halves.upper});
  }
  step.slots = [=](std::int64_t, const StepMessage& message) {
    return blocks_of_half(behind(message.source, root, ranks), half, ranks);
  };
  return step;
}

/// In the last group the upper half may lack ranks: those of the lower half without a partner get
/// its blocks from those with one, as MPICH does it.
StepSequence completion(int ranks, int root, std::int64_t half) {
  const Halves last = halves_of(ranks - 1, half, ranks);
  const std::int64_t has = last.end - last.upper;
  StepSequence steps;
  if (last.upper >= ranks || has == half) return steps;
  for (std::int64_t distance = half / 2; distance >= 1; distance /= 2) {
    CommunicationStep step;
    step.name = fmt::format("completion, distance {}", distance);
    for (std::int64_t v = last.lower; v < last.upper; ++v) {
      const std::int64_t group = v / (2 * distance) * (2 * distance);
      if ((v & distance) == 0 && v < group + has && v + distance >= group + has)
        step.messages.push_back({modulo(v + root, ranks), modulo(v + distance + root, ranks), has});
    }
    step.slots = [=](std::int64_t, const StepMessage&) {
      return slots_from(last.upper, has, ranks);
    };
    if (!step.messages.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

/// Farthest partners first: each rank collects the blocks that agree with it in the lower bits.
CommunicationStep far_exchange(int ranks, int root, std::int64_t distance) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", distance);
  for (std::int64_t v = 0; v < ranks; ++v)
    step.messages.push_back(
        {modulo(v + root, ranks), modulo((v ^ distance) + root, ranks), ranks / (2 * distance)});
  step.slots = [=](std::int64_t, const StepMessage& message) {
    std::vector<int> slots;
    for (std::int64_t v = behind(message.source, root, ranks) % (2 * distance); v < ranks;
         v += 2 * distance)
      slots.push_back(static_cast<int>(v));
    return slots;
  };
  return step;
}

}  // namespace

StepSequence scatter_blocks(int ranks, int root, bool doubling) {
  TreeFlow flow{ranks, root, 1, false};
  flow.count = [=](int child) { return subtree_of(child, ranks, doubling).count; };
  flow.slots = [=](std::int64_t, int child) {
    const Subtree subtree = subtree_of(child, ranks, doubling);
    std::vector<int> slots;
    for (std::int64_t i = 0; i < subtree.count; ++i)
      slots.push_back(static_cast<int>(child + i * subtree.stride));
    return slots;
  };
  return down_the_tree(binomial_tree(ranks, doubling), flow);
}

StepSequence allgather_blocks(int ranks, int root, bool doubling) {
  StepSequence steps;
  for (const std::int64_t distance : distances(ranks, doubling)) {
    steps.append(1, [=](std::int64_t) {
      return doubling ? exchange_of_halves(ranks, root, distance)
                      : far_exchange(ranks, root, distance);
    });
    if (doubling) steps.append(completion(ranks, root, distance));
  }
  return steps;
}

}  // namespace vtopo::detail::collectives
