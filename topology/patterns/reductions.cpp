#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// The tree of a broadcast from the leaves to the root.
CommunicationSteps up_the_tree(CommunicationSteps bcast) {
  bcast.steps = reversed(bcast.steps, StepEffect::combine);
  return bcast;
}

/// To the last rank in an order that keeps that of the ranks, and from there to the root.
CommunicationSteps reduce_in_order(int ranks, const Options& options) {
  const TreeFlow flow{ranks, 0, options.segments, true};
  const int slots = static_cast<int>(options.segments);
  CommunicationSteps result{
      1.0 / slots, slots, reversed(down_the_tree(in_order_tree(ranks), flow), StepEffect::combine)};
  if (options.root == ranks - 1) return result;
  result.steps.push_back(
      {"to the root", 1, StepEffect::replace, {{ranks - 1, options.root, slots}}, nullptr});
  return result;
}

/// Of the halving's last exchange of `bit` backwards, the messages from ranks that agree with the
/// root in the bits of the exchanges that were undone before, to those that agree in `bit` too.
CommunicationStep towards_root(CommunicationStep step, const PowerOfTwo& part, int root,
                               int agreed) {
  const int place = part.place(root);
  std::erase_if(step.messages, [&](const StepMessage& message) {
    return ((part.place(message.destination) ^ place) & agreed) != 0;
  });
  return step;
}

StepSequence gather_halves(const StepSequence& halving, const PowerOfTwo& part, int root,
                           bool doubling) {
  const StepSequence backwards = reversed(halving, StepEffect::replace);
  StepSequence steps;
  steps.append(backwards.size(), [=](std::int64_t k) {
    const auto bits = distances(part.size(), doubling);
    int agreed = 0;
    for (std::int64_t i = 0; i <= k; ++i)
      agreed |= static_cast<int>(bits[bits.size() - 1 - static_cast<std::size_t>(i)]);
    return towards_root(backwards[k], part, root, agreed);
  });
  return steps;
}

}  // namespace

CommunicationSteps reduce_binary(int ranks, const Options& options) {
  if (options.order == "in_order") return reduce_in_order(ranks, options);
  return up_the_tree(bcast_binary(ranks, options));
}

CommunicationSteps reduce_binomial(int ranks, const Options& options) {
  return up_the_tree(bcast_binomial(ranks, options));
}

CommunicationSteps reduce_chain(int ranks, const Options& options) {
  return up_the_tree(bcast_chain(ranks, options));
}

CommunicationSteps reduce_knomial(int ranks, const Options& options) {
  return up_the_tree(bcast_knomial(ranks, options));
}

CommunicationSteps reduce_linear(int ranks, const Options& options) {
  return up_the_tree(bcast_linear(ranks, options));
}

CommunicationSteps reduce_rabenseifner(int ranks, const Options& options) {
  const PowerOfTwo part(ranks, options.root);
  const StepSequence halving = part.halving(doubling(options), false);
  CommunicationSteps result{1.0 / part.size(), part.size(), part.fold(part.size())};
  result.steps.append(named("reduce-scatter", halving));
  result.steps.append(
      named("gather", gather_halves(halving, part, options.root, doubling(options))));
  return result;
}

namespace {

/// Ranks that do not take part get their block from whoever has it.
StepSequence blocks_to_outsiders(const PowerOfTwo& part) {
  StepSequence steps;
  if (part.surplus() == 0) return steps;
  CommunicationStep step{"from a power of two", 1, StepEffect::replace, {}, nullptr};
  for (int n = 0; n < part.surplus(); ++n)
    step.messages.push_back({part.rank(n), part.outsider(n)});
  step.slots = [](std::int64_t, const StepMessage& message) {
    return std::vector{message.destination};
  };
  steps.push_back(std::move(step));
  return steps;
}

/// The first of the blocks that the n-th has to reduce; those of the next ones follow.
int first_block(const PowerOfTwo& part, int n) {
  return n < part.surplus() ? 2 * n : n + part.surplus();
}

/// Bits below `size` in reversed order.
int mirrored(int n, int size) {
  int result = 0;
  for (int bit = 1; bit < size; bit *= 2) result = 2 * result + ((n & bit) != 0 ? 1 : 0);
  return result;
}

/// The n-th has reduced the blocks of its mirror image and hands them to their ranks.
CommunicationStep mirror_step(const PowerOfTwo& part) {
  CommunicationStep step;
  step.name = "mirror";
  for (int n = 0; n < part.size(); ++n)
    for (const int to : part.members(mirrored(n, part.size())))
      if (to != part.rank(n)) step.messages.push_back({part.rank(n), to});
  step.slots = [](std::int64_t, const StepMessage& message) {
    return std::vector{message.destination};
  };
  return step;
}

/// Contiguous blocks, the partner with the bit of `distance` set gets the upper half.
CommunicationStep butterfly_step(const PowerOfTwo& part, int distance) {
  const int half = part.size() / distance / 2;
  const auto blocks = [=](int n) {
    // what is left to the n-th after the step: blocks of those whose number begins with its bits
    const int first = mirrored(n & (2 * distance - 1), part.size());
    std::vector<int> slots;
    for (int m = first; m < first + half; ++m)
      for (const int rank : part.members(m)) slots.push_back(rank);
    return slots;
  };
  CommunicationStep step = part.exchange(distance, 1);
  step.effect = StepEffect::combine;
  for (StepMessage& message : step.messages) {
    const int first = mirrored(part.place(message.destination) & (2 * distance - 1), part.size());
    const int pairs = std::clamp(part.surplus() - first, 0, half);
    message.slots = half + pairs;
  }
  step.slots = [=](std::int64_t, const StepMessage& message) {
    return blocks(part.place(message.destination));
  };
  return step;
}

}  // namespace

CommunicationSteps reduce_scatter_ring(int ranks, const Options& options) {
  const Channels channels = channels_of(ranks, options);
  CommunicationSteps result{1.0 / channels.count, ranks * channels.count, {}};
  CommunicationStep step = ring_step(ranks, -1, 1, channels);
  step.name = "ring";
  step.effect = StepEffect::combine;
  result.steps.push_back(std::move(step));
  return result;
}

CommunicationSteps reduce_scatter_recursive_halving(int ranks, const Options& options) {
  const PowerOfTwo part(ranks);
  CommunicationSteps result{1, ranks, part.fold(ranks)};
  result.steps.append(part.halving(doubling(options), true));
  result.steps.append(blocks_to_outsiders(part));
  return result;
}

/// Every rank sends each other one its block; the k-th step to the k-th behind.
CommunicationSteps reduce_scatter_pairwise(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(ranks - 1, [ranks](std::int64_t k) {
    CommunicationStep step;
    step.name = fmt::format("distance {}", k + 1);
    step.effect = StepEffect::combine;
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + k + 1, ranks)});
    step.slots = [](std::int64_t, const StepMessage& message) {
      return std::vector{message.destination};
    };
    return step;
  });
  return result;
}

/// All blocks but those of the ranks with whom a rank shares its sums already; so MPICH does it
/// where the order of a reduction matters. Other numbers of ranks than powers of two are folded;
/// MPICH passes sums on inside of groups that lack partners, in as many steps.
CommunicationSteps reduce_scatter_recursive_doubling(int ranks, const Options&) {
  const PowerOfTwo part(ranks);
  CommunicationSteps result{1, ranks, part.fold(ranks)};
  for (const std::int64_t distance : distances(part.size(), true)) {
    const int known = static_cast<int>(distance);
    const auto behind = [=](int place) { return first_block(part, place / known * known + known); };
    CommunicationStep step = part.exchange(known, ranks);
    step.effect = StepEffect::combine;
    for (StepMessage& message : step.messages) {
      const int place = part.place(message.source) / known * known;
      message.slots -= behind(place) - first_block(part, place);
    }
    step.slots = [=](std::int64_t, const StepMessage& message) {
      return slots_from(behind(part.place(message.source)), message.slots, ranks);
    };
    result.steps.push_back(std::move(step));
  }
  result.steps.append(blocks_to_outsiders(part));
  return result;
}

/// J. Traeff, "An Improved Algorithm for (Non-commutative) Reduce-Scatter with an Application",
/// EuroPVM/MPI 2005; as Open MPI has it.
CommunicationSteps reduce_scatter_butterfly(int ranks, const Options&) {
  const PowerOfTwo part(ranks);
  CommunicationSteps result{1, ranks, part.fold(ranks)};
  for (const std::int64_t distance : distances(part.size(), true))
    result.steps.append(
        1, [=](std::int64_t) { return butterfly_step(part, static_cast<int>(distance)); });
  if (ranks > 2) result.steps.push_back(mirror_step(part));
  return result;
}

/// Over rank 0.
CommunicationSteps reduce_scatter_reduce_then_scatter(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  const StepSequence reduce = of_whole_buffer(reduce_binomial(ranks, {}).steps, ranks);
  result.steps.append(named("reduce", reduce));
  result.steps.append(named("scatter", from_root(ranks, 0, 0, true)));
  return result;
}

namespace {

/// A reduction to rank 0, and what it has to all.
CommunicationSteps there_and_back(CommunicationSteps reduce, const CommunicationSteps& bcast) {
  reduce.steps = named("reduce", reduce.steps);
  reduce.steps.append(named("bcast", bcast.steps));
  return reduce;
}

/// The ring once for each segment of the blocks.
CommunicationStep segmented_ring(int ranks, int segments) {
  CommunicationStep step = ring_step(ranks, 0);
  step.rounds = std::int64_t{ranks - 1} * segments;
  step.slots = [=](std::int64_t round, const StepMessage& message) {
    const int block = modulo(message.source - round % (ranks - 1), ranks);
    return slots_from(std::int64_t{block} * segments + round / (ranks - 1), 1, ranks * segments);
  };
  return step;
}

}  // namespace

CommunicationSteps allreduce_recursive_doubling(int ranks, const Options& options) {
  const PowerOfTwo part(ranks);
  CommunicationSteps result;
  result.steps.append(part.fold(1));
  for (const std::int64_t distance : distances(part.size(), doubling(options))) {
    CommunicationStep step = part.exchange(static_cast<int>(distance), 1);
    step.effect = StepEffect::combine;
    result.steps.push_back(std::move(step));
  }
  result.steps.append(part.unfold(1));
  return result;
}

CommunicationSteps allreduce_rabenseifner(int ranks, const Options& options) {
  const PowerOfTwo part(ranks);
  const StepSequence halving = part.halving(doubling(options), false);
  CommunicationSteps result{1.0 / part.size(), part.size(), part.fold(part.size())};
  result.steps.append(named("reduce-scatter", halving));
  result.steps.append(named("allgather", reversed(halving, StepEffect::replace)));
  result.steps.append(part.unfold(part.size()));
  return result;
}

/// The second half moves whole blocks, as in Open MPI.
CommunicationSteps allreduce_ring(int ranks, const Options& options) {
  if (options.segments > std::numeric_limits<int>::max() / ranks)
    throw UsageError(fmt::format("{} segments of a block of each of {} ranks: at most {}",
                                 options.segments, ranks, std::numeric_limits<int>::max() / ranks));
  const int segments = static_cast<int>(options.segments);
  const Channels channels = channels_of(ranks, options);
  const int parts = segments * channels.count;
  CommunicationSteps result{1.0 / ranks / parts, ranks * parts, {}};
  CommunicationStep reduce =
      segments > 1 ? segmented_ring(ranks, segments) : ring_step(ranks, 0, 1, channels);
  reduce.name = "ring reduce-scatter";
  reduce.effect = StepEffect::combine;
  result.steps.push_back(std::move(reduce));
  CommunicationStep gather = ring_step(ranks, 1, segments, channels);
  gather.name = "ring allgather";
  result.steps.push_back(std::move(gather));
  return result;
}

CommunicationSteps allreduce_linear(int ranks, const Options& options) {
  Options to_first = options;
  to_first.root = 0;
  return there_and_back(reduce_linear(ranks, to_first), bcast_linear(ranks, to_first));
}

CommunicationSteps allreduce_reduce_bcast(int ranks, const Options& options) {
  Options to_first = options;
  to_first.root = 0;
  return there_and_back(reduce_binomial(ranks, to_first), bcast_binomial(ranks, to_first));
}

}  // namespace vtopo::detail::collectives
