#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

CommunicationSteps gathered(CommunicationSteps scatter) {
  scatter.steps = reversed(scatter.steps, StepEffect::replace);
  return scatter;
}

}  // namespace

CommunicationSteps scatter_binomial(int ranks, const Options& options) {
  return {1, ranks, scatter_blocks(ranks, options.root, doubling(options))};
}

CommunicationSteps scatter_linear(int ranks, const Options& options) {
  return {1, ranks, from_root(ranks, options.root, options.window, true)};
}

/// Everyone gets the blocks of all, and takes its own.
CommunicationSteps scatter_bcast(int ranks, const Options& options) {
  return {1, ranks, of_whole_buffer(bcast_binomial(ranks, {options.root}).steps, ranks)};
}

CommunicationSteps gather_binomial(int ranks, const Options& options) {
  return gathered(scatter_binomial(ranks, options));
}

CommunicationSteps gather_linear(int ranks, const Options& options) {
  return gathered(scatter_linear(ranks, options));
}

/// The root asks one rank after the other for its block by an empty message.
CommunicationSteps gather_linear_sync(int ranks, const Options& options) {
  Options one_by_one = options;
  one_by_one.window = 1;
  const StepSequence blocks = gather_linear(ranks, one_by_one).steps;
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(2 * blocks.size(), [blocks](std::int64_t k) {
    CommunicationStep step = blocks[k / 2];
    if (k % 2 == 1) return step;
    step.name += ", request";
    for (StepMessage& message : step.messages) message = {message.destination, message.source, 0};
    step.slots = [](std::int64_t, const StepMessage&) { return std::vector<int>(); };
    return step;
  });
  return result;
}

}  // namespace vtopo::detail::collectives
