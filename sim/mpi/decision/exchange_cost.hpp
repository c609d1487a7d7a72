#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::overlay {

/// What is to be mapped: a topology over the new ranks.
struct ReorderProblem {
  const CommGraph& guest;           ///< one exchange: 1 byte per edge, or its weight in bytes
  const Cartesian* grid = nullptr;  ///< if it is one
};

/// What one exchange over a virtual topology costs. A constructor does not hear whether the program
/// will send to all neighbours at once (a neighbourhood collective) or to one after the other (a
/// shift in each direction), so both are counted; nor how much, so that messages are short and
/// long.
struct ExchangeCost {
  /// Of short and of long messages, and of those that the guest has, if it has sizes; else 0.
  using Times = std::array<Seconds, 3>;

  Bytes hop_bytes;     ///< volumes as the guest has them
  Times at_once;       ///< all edges together
  Times turn_by_turn;  ///< one direction after the other
  /// Of short messages over all ranks, if known: MPI_Allreduce by recursive doubling and MPI_Bcast
  /// by a binomial tree, which a constructor does itself over the new ranks.
  std::array<Seconds, 2> collectives;
  Seconds construction;        ///< of the communicator: broadcasts in the old and in the new order
  std::vector<Times> in_turn;  ///< one direction by itself; of a graph: the first edges of
                               ///< all ranks, the second ones, ...
};

/// Bytes of the mean edge, in short and in long messages.
inline constexpr std::array<Bytes, 2> usual_messages{Bytes{1024}, Bytes{65536}};

/// Simulates a program. A function, so that the decision can be had without the engine, which comes
/// with SimGrid; where it is empty, times are the busiest link and the longest route together.
using ProgramClock = std::function<Seconds(const Program&, const Network&, const Embedding&)>;

/// The exchanges of a problem, whose costs are asked of many embeddings.
class Exchange {
 public:
  /// The clock's times where messages of the network have times of their own and there are few,
  /// else bounds.
  /// @param problem @param network must outlive this.
  /// @param before the old order.
  Exchange(const ReorderProblem& problem, const Network& network, Embedding before,
           ProgramClock clock);

  /// Whether what is known so far of a cost is enough; what is not known is 0.
  using Stop = std::function<bool(const ExchangeCost&)>;

  /// Of the exchanges under an embedding.
  ExchangeCost cost(const Embedding& embedding, const Stop& stop = {}) const;

  /// Messages that are looked at for one cost.
  std::int64_t num_messages() const { return messages_; }
  bool is_simulated() const { return static_cast<bool>(clock_); }  ///< by the clock

 private:
  ExchangeCost bounds(const Embedding& embedding) const;
  Program construction(const Embedding& embedding) const;
  ExchangeCost simulated(const Embedding& embedding, const Stop& stop) const;

  const CommGraph& guest_;
  const Network& network_;
  ProgramClock clock_;
  std::int64_t messages_ = 0;
  Seconds latency_;                      ///< of a link in the mean
  std::vector<CommGraph> turns_;         ///< bytes as in the guest
  std::array<double, 3> scales_{};       ///< what its bytes are multiplied by; 0: not asked
  using Sizes = std::array<Program, 3>;  ///< as in `ExchangeCost::Times`
  Sizes at_once_, turn_by_turn_;
  std::vector<Sizes> in_turn_;
  std::array<Program, 2> collectives_;
  Embedding old_order_;
};

/// Whether a new order is worth it: hop-bytes, or a time at once or turn by turn, falls by more
/// than `min_gain` (0.02: 2 %), and there is no `loss`: so a program loses nothing, whichever way
/// it makes the exchange. Both costs are of the same problem.
bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain);

/// Exchanges of short messages, or of the guest's if it has sizes, that are to make up for what
/// the communicator takes longer to make in a new order, at once as well as in turn: a program that
/// makes a communicator exchanges more often than once.
inline constexpr double exchanges_per_communicator = 10;

/// Sum of the parts by which hop-bytes and the times grow, also of any turn by itself and of a
/// collective operation, and of what `exchanges_per_communicator` exchanges do not make up for; 0:
/// nothing is lost.
double loss(const ExchangeCost& before, const ExchangeCost& after);

/// One figure that a new order makes worse.
struct Growth {
  std::string_view of;  ///< words for a sentence about an exchange
  double part = 0;      ///< of what it was in the old order; 0: it does not grow
};

/// The figure that grows the most, of those that `loss` sums up.
Growth worst_growth(const ExchangeCost& before, const ExchangeCost& after);

/// Times of the new order over those of the old one, at once and turn by turn, in the mean: below 1
/// it is faster.
double relative_time(const ExchangeCost& before, const ExchangeCost& after);

/// What orders that lose nothing are ranked by, below 1 it is better: relative time, hop-bytes and
/// collective operations in the mean, since programs do more than exchanges.
double relative_cost(const ExchangeCost& before, const ExchangeCost& after);

}  // namespace vtopo::detail::overlay
