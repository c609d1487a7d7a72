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

}  // namespace vtopo::detail::collectives
