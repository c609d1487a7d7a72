#include <algorithm>

#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/power_of_two.hpp"
#include "topology/patterns/trees.hpp"

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

}  // namespace vtopo::detail::collectives
