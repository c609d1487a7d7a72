#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Axis of hosts that guest dimensions are folded over: a path or a ring of cells, or the slots of
/// a cell, between which there is no distance.
struct FoldAxis {
  int size = 1;
  int stride = 1;  ///< in slots
  bool wraps = false;
  bool within_host = false;

  int hops(int from, int to) const;
};

/// How parts of guest dimensions share a host axis. Guest dimension i has a digit of
/// `factors[i]` values there; the digits nest, finest first in `order`.
struct FoldLayout {
  std::vector<int> factors;    ///< one entry per guest dimension
  std::vector<int> weights;    ///< of the digits in the index into `positions`; 0 for factor 1
  std::vector<int> positions;  ///< coordinates on the axis, one entry per combination of digits

  /// @param order guest dimensions with factors > 1, finest first.
  /// @param reflected whether finer digits turn around where coarser ones step.
  FoldLayout(std::vector<int> digit_factors, std::span<const int> order, bool reflected);
};

/// What steps of one digit cost in hops, averaged over the other digits of its axis.
struct DigitSteps {
  int factor = 1;
  double all = 0;      ///< sum over the steps 0-1, 1-2, ..., (factor-2)-(factor-1)
  double first = 0;    ///< step 0-1
  double closing = 0;  ///< from the last value to the first
};

/// The steps of the digit of a guest dimension.
DigitSteps digit_steps(const FoldAxis& axis, const FoldLayout& layout, std::size_t dimension);

/// Order in which a guest dimension runs through the values of its digits.
struct FoldPath {
  enum class Kind {
    snake,  ///< each digit turns around where a slower one steps
    /// A closed walk: a snake over all but value 0 of the fastest digit, back along value 0. It
    /// ends next to its start if the other digits have an even number of combinations, else at the
    /// last value of the fastest digit, which is next to its start on a ring.
    comb,
  };
  Kind kind = Kind::snake;
  std::vector<std::size_t> digits;  ///< host axes, fastest first

  /// Hops of one line of the guest; exact where the digits are all used.
  double hops(std::span<const DigitSteps> steps, bool closed) const;

  /// Digit values along the path: `digits.size()` per coordinate, in the order of `digits`.
  std::vector<int> values(std::span<const int> factors, int length) const;

  friend bool operator==(const FoldPath&, const FoldPath&) = default;
};

/// The cheapest path of a guest dimension.
/// @param steps one entry per host axis.
/// @param full whether the dimension takes every combination of digits.
FoldPath best_path(std::span<const DigitSteps> steps, bool closed, bool full, double& hops);

/// A guest dimension to be folded.
struct FoldDimension {
  int size = 1;
  bool closed = false;  ///< whether its last coordinate talks to its first
  double volume = 1;    ///< bytes along the dimension, over the whole guest

  friend bool operator==(const FoldDimension&, const FoldDimension&) = default;
};

/// A folding of a guest grid: how each host axis is shared, how each guest dimension runs.
struct Folding {
  std::vector<FoldLayout> layouts;  ///< one entry per host axis
  std::vector<FoldPath> paths;      ///< one entry per guest dimension
  double hop_bytes = 0;  ///< between nearest neighbours; an estimate where hosts stay empty
};

/// Tries ways to factor the guest dimensions over the host axes, to nest the digits and to run
/// through them.
/// @returns at most `count` foldings of different cost, the cheapest first; none if no factoring
/// was found. The work is bounded and the same for equal input.
std::vector<Folding> find_foldings(const std::vector<FoldDimension>& guest,
                                   const std::vector<FoldAxis>& hosts, int count);

/// What is to be low on a host axis.
enum class FoldGoal {
  hop_bytes,
  loads,  ///< of its links
};

/// Exchanges positions on the host axes while that lowers hop-bytes or loads of a full folding:
/// nested digits are not always the best order of a grid on a ring.
void refine(Folding& folding, const std::vector<FoldDimension>& guest,
            const std::vector<FoldAxis>& hosts, FoldGoal goal);

}  // namespace vtopo::detail
