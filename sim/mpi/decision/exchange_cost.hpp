#pragma once

#include <array>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/mpi/decision/reorder_problem.hpp"

namespace vtopo::detail::overlay {

/// What one exchange over a virtual topology costs. A constructor does not hear whether the program
/// will send to all neighbours at once (a neighbourhood collective) or to one after the other (a
/// shift in each direction), so both are counted; nor how much, so that messages are short and
/// long.
struct ExchangeCost {
  /// Times of the busiest link and the longest route together, for short and for long messages.
  using Times = std::array<Seconds, 2>;

  Bytes hop_bytes;             ///< volumes as the guest has them
  Times at_once;               ///< all edges together
  std::vector<Times> in_turn;  ///< one direction after the other; of a graph: the first edges of
                               ///< all ranks, the second ones, ...
  Times turn_by_turn() const;  ///< their sum
};

/// Bytes of the mean edge, in short and in long messages.
inline constexpr std::array<Bytes, 2> usual_messages{Bytes{1024}, Bytes{65536}};

/// Counts both ways.
ExchangeCost exchange_cost(const ReorderProblem& problem, const Network& network,
                           const Embedding& embedding);

/// Whether a new order is worth it: hop-bytes, or a time at once or turn by turn, falls by more
/// than `min_gain` (0.02: 2 %), and none grows, nor the time of any turn by itself: so a program
/// loses nothing, whichever way it makes the exchange. Both costs are of the same problem.
bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain);

}  // namespace vtopo::detail::overlay
