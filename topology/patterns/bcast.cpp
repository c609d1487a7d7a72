#include "topology/base/error.hpp"
#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/trees.hpp"

namespace vtopo::detail::collectives {

namespace {

CommunicationSteps bcast_over(const Tree& tree, int ranks, const Options& options, bool together) {
  if (!together && options.segments > 1)
    throw UsageError(fmt::format(
        "{} segments with children=in_turn: segments follow each other with children=together",
        options.segments));
  const TreeFlow flow{ranks, options.root, options.segments, together};
  return {1.0 / static_cast<double>(options.segments), static_cast<int>(options.segments),
          down_the_tree(tree, flow)};
}

/// Both halves of the tree have half of the message: everyone swaps with the like in the other.
CommunicationStep swap_of_halves(int ranks, int root, int half) {
  CommunicationStep step;
  step.name = "exchange of halves";
  const auto add = [&](int from, int to) {
    step.messages.push_back(
        {modulo(std::int64_t{from} + root, ranks), modulo(std::int64_t{to} + root, ranks), half});
  };
  for (int v = 1; v + 1 < ranks; v += 2) {
    add(v, v + 1);
    add(v + 1, v);
  }
  if (ranks % 2 == 0) add(0, ranks - 1);
  step.slots = [=](std::int64_t, const StepMessage& message) {
    const bool left = modulo(std::int64_t{message.source} - root, ranks) % 2 == 1;
    return slots_from(left ? 0 : half, half, 2 * half);
  };
  return step;
}

/// A scatter whose partners come in the opposite order of the allgather that follows.
CommunicationSteps scattered(int ranks, const Options& options) {
  CommunicationSteps result{1.0 / ranks, ranks, {}};
  result.steps = named("scatter", scatter_blocks(ranks, options.root, doubling(options)));
  return result;
}

}  // namespace

CommunicationSteps bcast_binomial(int ranks, const Options& options) {
  return bcast_over(binomial_tree(ranks, doubling(options)), ranks, options,
                    options.together.value_or(options.segments > 1));
}

CommunicationSteps bcast_binary(int ranks, const Options& options) {
  return bcast_over(level_tree(ranks, options.radix), ranks, options,
                    options.together.value_or(true));
}

CommunicationSteps bcast_chain(int ranks, const Options& options) {
  return bcast_over(chains(ranks, options.radix), ranks, options, true);
}

CommunicationSteps bcast_knomial(int ranks, const Options& options) {
  return bcast_over(knomial_tree(ranks, options.radix), ranks, options,
                    options.together.value_or(true));
}

CommunicationSteps bcast_linear(int ranks, const Options& options) {
  return {1, 1, from_root(ranks, options.root, options.window, false)};
}

/// Odd ranks behind the root are left in the tree and get the first half, even ones the second.
CommunicationSteps bcast_split_binary(int ranks, const Options& options) {
  const int half = static_cast<int>(options.segments);
  TreeFlow flow{ranks, options.root, options.segments, true};
  flow.slots = [half](std::int64_t segment, int child) {
    return std::vector{static_cast<int>(segment) + (child % 2 == 1 ? 0 : half)};
  };
  CommunicationSteps result{0.5 / half, 2 * half, down_the_tree(level_tree(ranks, 2), flow)};
  result.steps.push_back(swap_of_halves(ranks, options.root, half));
  return result;
}

/// R. van de Geijn: slot s is that of the rank s behind the root.
CommunicationSteps bcast_scatter_allgather(int ranks, const Options& options) {
  CommunicationSteps result = scattered(ranks, options);
  const auto gather = allgather_blocks(ranks, options.root, !doubling(options));
  result.steps.append(named("allgather", gather));
  return result;
}

CommunicationSteps bcast_scatter_allgather_ring(int ranks, const Options& options) {
  CommunicationSteps result = scattered(ranks, options);
  CommunicationStep ring = ring_step(ranks, modulo(-std::int64_t{options.root}, ranks));
  ring.name = "ring allgather";
  result.steps.push_back(std::move(ring));
  return result;
}

}  // namespace vtopo::detail::collectives
