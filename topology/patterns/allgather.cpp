#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// Which pair's two blocks a rank sends in step k >= 1: those that it got last.
int neighbor_pair(int rank, std::int64_t k, int ranks) {
  const std::int64_t pair = rank / 2, got = k - 1;
  const std::int64_t moved = got % 2 == 1 ? -(got + 1) / 2 : got / 2;
  return modulo(rank % 2 == 0 ? pair + moved : pair - moved, ranks / 2);
}

/// Pairs (0, 1), (2, 3), ... in even steps, (1, 2), (3, 4), ... in odd ones.
CommunicationStep neighbor_step(std::int64_t k, int ranks) {
  CommunicationStep step;
  step.name = k % 2 == 0 ? "even with next" : "even with previous";
  for (int r = 0; r < ranks; ++r) {
    const std::int64_t side = (r + k) % 2 == 0 ? 1 : -1;
    step.messages.push_back({r, modulo(r + side, ranks), k == 0 ? 1 : 2});
  }
  step.same_flows_back = k > 2 ? 2 : 0;
  step.slots = [=](std::int64_t, const StepMessage& message) {
    if (k == 0) return slots_from(message.source, 1, ranks);
    return slots_from(std::int64_t{2} * neighbor_pair(message.source, k, ranks), 2, ranks);
  };
  return step;
}

/// Rank r has the slots r, r+1, ..., `distance` of them, and needs those from there on; `radix`
/// times as many after the step.
CommunicationStep bruck_step(std::int64_t distance, int ranks, int radix) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", distance);
  for (int r = 0; r < ranks; ++r)
    for (std::int64_t j = distance; j < std::min<std::int64_t>(distance * radix, ranks);
         j += distance)
      step.messages.push_back({r, modulo(r - j, ranks), std::min(distance, ranks - j)});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slots_from(message.source, message.slots, ranks);
  };
  return step;
}

}  // namespace

CommunicationSteps allgather_ring(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.push_back(ring_step(ranks, 0));
  result.steps = named("ring", result.steps);
  return result;
}

CommunicationSteps allgather_recursive_doubling(int ranks, const Options& options) {
  return {1, ranks, allgather_blocks(ranks, 0, doubling(options))};
}

CommunicationSteps allgather_bruck(int ranks, const Options& options) {
  CommunicationSteps result{1, ranks, {}};
  for (std::int64_t distance = 1; distance < ranks; distance *= options.radix)
    result.steps.append(
        1, [=, radix = options.radix](std::int64_t) { return bruck_step(distance, ranks, radix); });
  result.packings = 1;  // slots are turned round behind
  return result;
}

/// J. Chen et al., "Performance Evaluation of Allgather Algorithms on Terascale Linux Cluster with
/// Fast Ethernet", HPC Asia 2005.
CommunicationSteps allgather_neighbor(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(ranks / 2, [ranks](std::int64_t k) { return neighbor_step(k, ranks); });
  return result;
}

/// To rank 0, and from there to all, as Open MPI has it.
CommunicationSteps allgather_linear(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(named("gather", reversed(from_root(ranks, 0, 0, true), StepEffect::replace)));
  const StepSequence all = of_whole_buffer(from_root(ranks, 0, 0, false), ranks);
  result.steps.append(named("bcast", all));
  return result;
}

/// W. Loch, G. Koslovski, "Sparbit: Towards to a Logarithmic-Cost and Data Locality-Aware MPI
/// Allgather Algorithm", JOGC 2023: distances halve, every second block of what a rank has goes
/// to the one so far ahead. A block that would arrive twice is left out.
CommunicationSteps allgather_sparbit(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  const auto bits = static_cast<unsigned>(ranks);
  const int low = std::countr_zero(bits);
  const unsigned ignored = (~(bits >> low) | 1U) << low;
  std::int64_t has = 1;
  for (const std::int64_t distance : distances(ranks, false)) {
    const bool excludes = (static_cast<unsigned>(distance) & ignored) != 0;
    const std::int64_t count = has - (excludes ? 1 : 0);
    result.steps.append(1, [=](std::int64_t) {
      CommunicationStep step;
      step.name = fmt::format("distance {}", distance);
      step.sends_slots_apart = true;
      for (int r = 0; r < ranks; ++r)
        step.messages.push_back({r, modulo(r + distance, ranks), count});
      step.slots = [=](std::int64_t, const StepMessage& message) {
        std::vector<int> slots;
        for (std::int64_t i = 0; i < message.slots; ++i)
          slots.push_back(modulo(message.source - 2 * i * distance, ranks));
        return slots;
      };
      return step;
    });
    has = 2 * has - (excludes ? 1 : 0);
  }
  return result;
}

}  // namespace vtopo::detail::collectives
