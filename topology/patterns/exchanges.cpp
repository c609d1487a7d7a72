#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "topology/base/error.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// The same messages without any volume: who has heard of whom.
CommunicationSteps empty_messages(CommunicationSteps steps) {
  steps.slot_share = 0;
  return steps;
}

}  // namespace

CommunicationSteps barrier_linear(int ranks, const Options& options) {
  return empty_messages(allreduce_linear(ranks, options));
}

CommunicationSteps barrier_binomial(int ranks, const Options& options) {
  return empty_messages(allreduce_reduce_bcast(ranks, options));
}

CommunicationSteps barrier_recursive_doubling(int ranks, const Options& options) {
  return empty_messages(allreduce_recursive_doubling(ranks, options));
}

/// Dissemination: D. Hensgen, R. Finkel, U. Manber, "Two Algorithms for Barrier Synchronization",
/// IJPP 17(1), 1988.
CommunicationSteps barrier_bruck(int ranks, const Options&) {
  CommunicationSteps result{0, 1, {}};
  for (const std::int64_t distance : distances(ranks, true)) {
    CommunicationStep step;
    step.name = fmt::format("distance {}", distance);
    step.effect = StepEffect::combine;
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + distance, ranks)});
    result.steps.push_back(std::move(step));
  }
  return result;
}

namespace {

CommunicationSteps bcast_over(const Tree& tree, int ranks, const Options& options, bool together) {
  if (!together && options.segments > 1)
    throw UsageError(fmt::format(
        "{} segments with children=in_turn: segments follow each other with children=together",
        options.segments));
  return over_trees({tree}, {ranks, options.root, options.segments, together});
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
  const Channels channels = channels_of(ranks, options);
  if (channels.count == 1) return bcast_over(chains(ranks, options.radix), ranks, options, true);
  if (options.radix > 1)
    throw UsageError(fmt::format("channels={} with radix={}: a channel is one chain",
                                 channels.count, options.radix));
  std::vector<Tree> trees;
  for (int c = 0; c < channels.count; ++c)
    trees.push_back(ring_chain(ranks, channels.per_node, c, options.root));
  return over_trees(trees, {ranks, 0, options.segments, true});
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

CommunicationSteps allgather_ring(int ranks, const Options& options) {
  const Channels channels = channels_of(ranks, options);
  CommunicationSteps result{1.0 / channels.count, ranks * channels.count, {}};
  result.steps.push_back(ring_step(ranks, 0, 1, channels));
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

namespace {

/// Slot d of a rank is for the one d ranks further.
std::vector<int> slot_between(const StepMessage& message, int ranks) {
  return {modulo(std::int64_t{message.destination} - message.source, ranks)};
}

/// Everyone to those `first` to `last` ranks further.
CommunicationStep shifted(int ranks, std::int64_t first, std::int64_t last) {
  CommunicationStep step;
  for (int r = 0; r < ranks; ++r)
    for (std::int64_t k = first; k <= last; ++k) step.messages.push_back({r, modulo(r + k, ranks)});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slot_between(message, ranks);
  };
  return step;
}

CommunicationStep paired(int ranks, int bits) {
  CommunicationStep step;
  step.name = fmt::format("xor {}", bits);
  for (int r = 0; r < ranks; ++r) step.messages.push_back({r, r ^ bits});
  step.slots = [ranks](std::int64_t, const StepMessage& message) {
    return slot_between(message, ranks);
  };
  return step;
}

}  // namespace

/// Partners by exclusive or, or to the k-th after and from the k-th before.
CommunicationSteps alltoall_pairwise(int ranks, const Options& options) {
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(ranks - 1, [ranks, pairs = options.order == "xor"](std::int64_t k) {
    if (pairs) return paired(ranks, static_cast<int>(k + 1));
    CommunicationStep step = shifted(ranks, k + 1, k + 1);
    step.name = fmt::format("distance {}", k + 1);
    return step;
  });
  return result;
}

/// All messages at once, each rank beginning behind itself; or those of a window after the other.
CommunicationSteps alltoall_linear(int ranks, const Options& options) {
  CommunicationSteps result{1, ranks, {}};
  const std::int64_t others = ranks - 1;
  const std::int64_t window =
      options.window == 0 ? others : std::min<std::int64_t>(options.window, others);
  result.steps.append((others - 1) / window + 1, [=](std::int64_t k) {
    CommunicationStep step = shifted(ranks, k * window + 1, std::min((k + 1) * window, others));
    step.name = window == others ? "linear" : fmt::format("linear, part {}", k + 1);
    return step;
  });
  return result;
}

/// J. Bruck et al., "Efficient Algorithms for All-to-All Communications in Multiport
/// Message-Passing Systems", TPDS 8(11), 1997: what is still d ranks from its end travels by the
/// bits of d.
CommunicationSteps alltoall_bruck(int ranks, const Options&) {
  CommunicationSteps result{1, ranks, {}};
  for (const std::int64_t bit : distances(ranks, true)) {
    const auto slots_of_bit = [=] {
      std::vector<int> slots;
      for (int slot = 0; slot < ranks; ++slot)
        if ((slot & bit) != 0) slots.push_back(slot);
      return slots;
    };
    const auto count = static_cast<std::int64_t>(slots_of_bit().size());
    CommunicationStep step;
    step.name = fmt::format("distance {}", bit);
    for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + bit, ranks), count});
    step.slots = [=](std::int64_t, const StepMessage&) { return slots_of_bit(); };
    result.steps.push_back(std::move(step));
    result.packings += 1;  // half of the slots are packed by the sender, and unpacked
  }
  result.packings += 3;  // slots are rotated before and turned round behind
  return result;
}

}  // namespace vtopo::detail::collectives
