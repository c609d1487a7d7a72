#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// Exchanges of pairs of ranks along the dimensions of a torus, for each part of a vector.
///
/// Dimensions take turns until each has had log2(size) exchanges; part q begins with dimension q
/// modulo their number. In the k-th exchange of a dimension, `xor` pairs coordinates that differ in
/// bit k, `bine` an even coordinate c with c + (1 - (-2)^(k+1)) / 3 and an odd one with c minus
/// that (D. De Sensi et al., "Swing: Short-cutting Rings for Higher Bandwidth Allreduce", NSDI
/// 2024). Parts from the number of dimensions on go the mirrored way: as far in the other
/// direction.
class AxesExchange {
 public:
  /// @param options shape with the first dimension varying fastest; empty: a ring of all ranks.
  AxesExchange(int ranks, const Options& options)
      : shape_(options.shape.empty() ? std::vector{ranks} : options.shape),
        ranks_(ranks),
        parts_(std::max(options.ports, 1)),
        is_bine_(options.order == "bine") {
    std::int64_t product = 1;
    for (const int size : shape_) {
      product *= size;
      if (!std::has_single_bit(static_cast<unsigned>(size)) || product > ranks) break;
    }
    if (product != ranks)
      throw UsageError(fmt::format(
          "shape={}: sizes must be powers of two whose product is the number of ranks, {}",
          join(words(), "x"), ranks));
    for (int part = 0; part < parts_; ++part) turns_.push_back(turns_from(part));
  }

  int parts() const { return parts_; }
  int num_steps() const { return static_cast<int>(turns_.front().size()); }

  /// With whom a rank exchanges a part in a step.
  int partner(int rank, int part, int step) const {
    const auto& [dimension, k] = turns_[index(part)][index(step)];
    const auto stride = std::accumulate(shape_.begin(), shape_.begin() + dimension, 1,
                                        [](int product, int size) { return product * size; });
    const int size = shape_[index(dimension)];
    const int from = rank / stride % size;
    const std::int64_t ahead =
        is_bine_ ? (from % 2 == 0 ? 1 : -1) * bine_distance(k) : (from ^ (1 << k)) - from;
    const bool is_mirrored = part >= static_cast<int>(shape_.size());
    return rank + (modulo(from + (is_mirrored ? -ahead : ahead), size) - from) * stride;
  }

  /// The rank itself, and those that a part of it still reaches in later steps.
  std::vector<int> reached(int rank, int part, int step) const {
    std::vector<int> ranks{rank};
    for (int later = step + 1; later < num_steps(); ++later)
      for (std::size_t r = ranks.size(); r-- > 0;) ranks.push_back(partner(ranks[r], part, later));
    return ranks;
  }

  /// Parts that two ranks exchange in a step.
  std::vector<int> parts_between(const StepMessage& message, int step) const {
    std::vector<int> parts;
    for (int part = 0; part < parts_; ++part)
      if (partner(message.source, part, step) == message.destination) parts.push_back(part);
    return parts;
  }

  /// Everyone sends so many slots of each part to its partner.
  CommunicationStep exchange(int step, std::int64_t slots) const {
    CommunicationStep result;
    result.name = fmt::format("exchange {}", step + 1);
    result.effect = StepEffect::combine;
    for (int rank = 0; rank < ranks_; ++rank) {
      const auto own = static_cast<std::ptrdiff_t>(result.messages.size());
      for (int part = 0; part < parts_; ++part) {
        const int to = partner(rank, part, step);
        const auto same =
            std::find_if(result.messages.begin() + own, result.messages.end(),
                         [to](const StepMessage& sent) { return sent.destination == to; });
        if (same == result.messages.end())
          result.messages.push_back({rank, to, slots});
        else
          same->slots += slots;
      }
    }
    return result;
  }

 private:
  struct Turn {
    int dimension, k;
  };

  static std::int64_t bine_distance(int k) {
    const std::int64_t power = std::int64_t{1} << (k + 1);
    return (1 - (k % 2 == 0 ? -power : power)) / 3;
  }

  std::vector<Turn> turns_from(int part) const {
    const int steps = static_cast<int>(std::bit_width(static_cast<unsigned>(ranks_))) - 1;
    const int dimensions = static_cast<int>(shape_.size());
    std::vector<int> done(shape_.size());
    std::vector<Turn> turns;
    for (int d = part % dimensions; static_cast<int>(turns.size()) < steps;
         d = (d + 1) % dimensions)
      if ((1 << done[index(d)]) < shape_[index(d)]) turns.push_back({d, done[index(d)]++});
    return turns;
  }

  std::vector<std::string> words() const {
    std::vector<std::string> result;
    for (const int size : shape_) result.push_back(std::to_string(size));
    return result;
  }

  std::vector<int> shape_;
  int ranks_, parts_;
  bool is_bine_;
  std::vector<std::vector<Turn>> turns_;  ///< of each part
};

/// Halves of what is left of each part, the blocks that the partner still passes on; in pieces of
/// whole blocks, one after the other.
/// @param pieces of the whole vector.
CommunicationStep halving_exchange(const AxesExchange& axes, int step, int ranks,
                                   std::int64_t pieces) {
  const std::int64_t blocks = std::int64_t{ranks} >> (step + 1);
  const auto wanted =
      static_cast<std::uint64_t>((pieces - 1) / (std::int64_t{axes.parts()} << (step + 1)) + 1);
  const auto rounds = static_cast<std::int64_t>(
      std::bit_ceil(std::min(wanted, static_cast<std::uint64_t>(blocks))));
  CommunicationStep result = axes.exchange(step, blocks / rounds);
  result.rounds = rounds;
  result.slots = [=](std::int64_t round, const StepMessage& message) {
    std::vector<int> slots;
    for (const int part : axes.parts_between(message, step)) {
      const std::vector<int> reached = axes.reached(message.destination, part, step);
      for (std::int64_t b = 0; b < blocks / rounds; ++b)
        slots.push_back(part * ranks + reached[index(round * (blocks / rounds) + b)]);
    }
    return slots;
  };
  return result;
}

}  // namespace

CommunicationSteps allreduce_axes_doubling(int ranks, const Options& options) {
  const AxesExchange axes(ranks, options);
  CommunicationSteps result{1.0 / axes.parts(), axes.parts(), {}};
  result.steps.append(axes.num_steps(), [axes](std::int64_t step) {
    CommunicationStep exchange = axes.exchange(static_cast<int>(step), 1);
    exchange.slots = [axes, step](std::int64_t, const StepMessage& message) {
      return axes.parts_between(message, static_cast<int>(step));
    };
    return exchange;
  });
  return result;
}

CommunicationSteps allreduce_axes_halving(int ranks, const Options& options) {
  const AxesExchange axes(ranks, options);
  if (axes.parts() > std::numeric_limits<int>::max() / ranks)
    throw UsageError(fmt::format("ports={}: at most {} for {} ranks", axes.parts(),
                                 std::numeric_limits<int>::max() / ranks, ranks));
  StepSequence halving;
  halving.append(axes.num_steps(), [=, pieces = options.segments](std::int64_t step) {
    return halving_exchange(axes, static_cast<int>(step), ranks, pieces);
  });
  CommunicationSteps result{1.0 / ranks / axes.parts(), ranks * axes.parts(), {}};
  result.steps.append(named("reduce-scatter", halving));
  result.steps.append(named("allgather", reversed(halving, StepEffect::replace)));
  return result;
}

}  // namespace vtopo::detail::collectives
