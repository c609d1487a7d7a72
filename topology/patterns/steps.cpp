#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo {

void StepSequence::push_back(CommunicationStep step) {
  append(1, [step = std::move(step)](std::int64_t) { return step; });
}

void StepSequence::append(std::int64_t count, Make make) {
  if (count <= 0) return;
  size_ += count;
  parts_.push_back({size_, std::move(make)});
}

void StepSequence::append(const StepSequence& other) {
  for (const Part& part : other.parts_) {
    parts_.push_back({size_ + part.end, part.make});
  }
  size_ += other.size_;
}

CommunicationStep StepSequence::operator[](std::int64_t k) const {
  const auto part = std::upper_bound(parts_.begin(), parts_.end(), k,
                                     [](std::int64_t at, const Part& p) { return at < p.end; });
  const std::int64_t first = part == parts_.begin() ? 0 : std::prev(part)->end;
  return part->make(k - first);
}

Bytes CommunicationSteps::copied(Bytes volume) const {
  // Memory of a call up to this is kept for the next one, in the heap and in the caches; more of
  // it is given back to the system after each call and comes as fresh pages: bytes
  // (`DEFAULT_MMAP_THRESHOLD_MAX` of glibc, mallopt(3)).
  constexpr double kept_memory = 32 << 20;
  const Bytes buffer = volume * slot_share * num_slots;
  return buffer * (packings + (buffer.value > kept_memory ? copies : 0));
}

}  // namespace vtopo

namespace vtopo::detail::collectives {

namespace {

CommunicationStep backwards(CommunicationStep step, StepEffect effect) {
  step.effect = effect;
  step.same_flows_back = 0;
  for (StepMessage& message : step.messages) std::swap(message.source, message.destination);
  if (!step.slots) return step;
  step.slots = [slots = step.slots, last = step.rounds - 1](std::int64_t round,
                                                            const StepMessage& message) {
    return slots(last - round, {message.destination, message.source, message.slots});
  };
  return step;
}

}  // namespace

int modulo(std::int64_t value, int ranks) {
  const std::int64_t rest = value % ranks;
  return static_cast<int>(rest < 0 ? rest + ranks : rest);
}

std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots) {
  std::vector<int> slots;
  for (std::int64_t i = 0; i < count; ++i) slots.push_back(modulo(first + i, num_slots));
  return slots;
}

int moved_in_node(int rank, int by, int per_node) {
  return rank / per_node * per_node + modulo(std::int64_t{rank} % per_node + by, per_node);
}

namespace {

/// The rank that lies `by` behind another one in the ring of a channel.
int behind_in_ring(int rank, std::int64_t by, int channel, int ranks, int per_node) {
  const int place = modulo(moved_in_node(rank, -channel, per_node) + by, ranks);
  return moved_in_node(place, channel, per_node);
}

}  // namespace

Channels channels_of(int ranks, const Options& options) {
  if (ranks % options.ranks_per_node != 0)
    throw UsageError(fmt::format("{} ranks are not full nodes of ranks_per_node={}", ranks,
                                 options.ranks_per_node));
  if (options.channels > options.ranks_per_node)
    throw UsageError(
        fmt::format("channels={} with ranks_per_node={}: each channel enters a node at another "
                    "rank, so at most {}",
                    options.channels, options.ranks_per_node, options.ranks_per_node));
  if (std::int64_t{ranks} * options.channels > std::numeric_limits<int>::max())
    throw UsageError(
        fmt::format("channels={} of blocks of {} ranks are too many", options.channels, ranks));
  return {options.channels, options.ranks_per_node};
}

CommunicationStep ring_step(int ranks, int start, int slots, const Channels& channels) {
  CommunicationStep step;
  step.rounds = ranks - 1;
  const auto next = [=](int rank, int channel) {
    return behind_in_ring(rank, 1, channel, ranks, channels.per_node);
  };
  for (int r = 0; r < ranks; ++r) {
    const std::size_t first = step.messages.size();
    for (int c = 0; c < channels.count; ++c) {
      const auto same = std::find_if(
          step.messages.begin() + static_cast<std::ptrdiff_t>(first), step.messages.end(),
          [&](const StepMessage& message) { return message.destination == next(r, c); });
      if (same != step.messages.end())
        same->slots += slots;
      else
        step.messages.push_back({r, next(r, c), slots});
    }
  }
  step.slots = [=](std::int64_t round, const StepMessage& message) {
    std::vector<int> parts;
    for (int c = 0; c < channels.count; ++c) {
      if (next(message.source, c) != message.destination) continue;
      const int block = behind_in_ring(message.source, start - round, c, ranks, channels.per_node);
      for (int s = 0; s < slots; ++s) parts.push_back((block * channels.count + c) * slots + s);
    }
    return parts;
  };
  return step;
}

Tree ring_chain(int ranks, int per_node, int channel, int root) {
  Tree tree;
  int parent = root;
  for (int depth = 0; depth + 1 < ranks; ++depth) {
    const int child = behind_in_ring(parent, 1, channel, ranks, per_node);
    tree.push_back({parent, child, depth, depth});
    parent = child;
  }
  return tree;
}

StepSequence reversed(const StepSequence& steps, StepEffect effect) {
  StepSequence result;
  result.append(steps.size(), [steps, effect](std::int64_t k) {
    return backwards(steps[steps.size() - 1 - k], effect);
  });
  return result;
}

StepSequence of_whole_buffer(const StepSequence& steps, int slots) {
  StepSequence result;
  result.append(steps.size(), [steps, slots](std::int64_t k) {
    CommunicationStep step = steps[k];
    step.slots = nullptr;
    for (StepMessage& message : step.messages) message.slots = slots;
    return step;
  });
  return result;
}

StepSequence named(std::string_view what, const StepSequence& steps) {
  StepSequence result;
  result.append(steps.size(), [what = std::string(what), steps](std::int64_t k) {
    CommunicationStep step = steps[k];
    step.name = what + (step.name.empty() ? "" : ", ") + step.name;
    return step;
  });
  return result;
}

std::vector<std::int64_t> distances(int ranks, bool doubling) {
  std::vector<std::int64_t> result;
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) result.push_back(distance);
  if (!doubling) std::reverse(result.begin(), result.end());
  return result;
}

bool doubling(const Options& options) {
  return options.order == "distance_doubling";
}

StepSequence from_root(int ranks, int root, int window, bool blocks) {
  const int at_once = window == 0 ? ranks - 1 : std::min(window, ranks - 1);
  StepSequence steps;
  steps.append((ranks - 2) / at_once + 1, [=](std::int64_t k) {
    CommunicationStep step;
    step.name = at_once == ranks - 1 ? "linear" : fmt::format("linear, part {}", k + 1);
    for (std::int64_t v = k * at_once + 1; v <= (k + 1) * at_once && v < ranks; ++v)
      step.messages.push_back({root, modulo(v + root, ranks)});
    if (blocks)
      step.slots = [=](std::int64_t, const StepMessage& message) {
        return std::vector{modulo(std::int64_t{message.destination} - root, ranks)};
      };
    return step;
  });
  return steps;
}

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
