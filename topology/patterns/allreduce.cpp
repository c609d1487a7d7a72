#include <algorithm>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/power_of_two.hpp"

namespace vtopo::detail::collectives {

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
  CommunicationSteps result{1.0 / ranks / segments, ranks * segments, {}};
  CommunicationStep reduce = segmented_ring(ranks, segments);
  reduce.name = "ring reduce-scatter";
  reduce.effect = StepEffect::combine;
  result.steps.push_back(std::move(reduce));
  CommunicationStep gather = ring_step(ranks, 1, segments);
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
