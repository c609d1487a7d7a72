#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::overlay {

/// What is to be mapped: a topology over the new ranks.
struct ReorderProblem {
  const CommGraph& guest;           ///< one exchange: 1 byte per message, or its weight in bytes
  const Cartesian* grid = nullptr;  ///< if it is one
};

/// Bytes of a message where neither weights nor settings say how many.
inline constexpr Bytes usual_message{65536};

/// What the volumes of a guest are multiplied by, so that they are bytes: the mean message has the
/// `chosen` bytes. Where none are chosen, weights of 64 or more in the mean are bytes
/// themselves. Smaller ones are taken for the shares of neighbours whose mean message is the usual
/// one, as it is without weights: of so few bytes a message would take as long as its route,
/// whatever its weight.
double bytes_per_unit(const CommGraph& guest, std::optional<Bytes> chosen);

/// What an iteration of a program costs in some order of the ranks: one exchange with the
/// neighbours in the topology, and one MPI_Allreduce of 8 bytes over all ranks. A constructor does
/// not hear how the program will exchange, so that there are two times: with all neighbours
/// together, as by a neighbourhood collective, and with one after the other.
struct IterationCost {
  Bytes hop_bytes;  ///< volumes as the guest has them
  std::array<Seconds, 2> times;
};

/// Times in the new order over those in the old one, in the mean: below 1 it is faster.
double relative_time(const IterationCost& before, const IterationCost& after);

/// The largest of them.
double worst_relative_time(const IterationCost& before, const IterationCost& after);

/// Simulates a program. A function, so that the decision can be had without the engine, which comes
/// with SimGrid; where it is empty, times are the busiest link and the longest route together.
using ProgramClock = std::function<Seconds(const Program&, const Network&, const Embedding&)>;

/// How the time of a collective operation changes that an iteration does not have.
struct CollectiveChange {
  std::string operation;  ///< `bcast`
  double part = 0;        ///< of its time in the old order; above 0: it takes longer
};

/// The iteration of a problem, whose costs are asked of many embeddings.
class Iteration {
 public:
  /// The clock's times where messages of the network have times of their own and there are few,
  /// else bounds.
  /// @param problem @param network must outlive this.
  /// @param message bytes of the mean message; none: see `bytes_per_unit`.
  Iteration(const ReorderProblem& problem, const Network& network, std::optional<Bytes> message,
            ProgramClock clock);

  IterationCost cost(const Embedding& embedding) const;   ///< under an embedding
  IterationCost bound(const Embedding& embedding) const;  ///< about the same, sooner

  /// Of MPI_Bcast, MPI_Allgather and MPI_Alltoall of 1 KiB the one that loses the most, or gains
  /// the least; none where they are not simulated. Those of too many messages are left out.
  std::optional<CollectiveChange> worst_collective(const Embedding& before,
                                                   const Embedding& after) const;

  /// Messages that are looked at for one cost.
  std::int64_t num_messages() const { return messages_; }
  bool is_simulated() const { return static_cast<bool>(clock_); }  ///< by the clock

 private:
  Seconds bound_of_reduction(const Embedding& embedding) const;

  const CommGraph& guest_;
  const Network& network_;
  ProgramClock clock_;
  std::int64_t messages_ = 0;
  Seconds latency_;                                            ///< of a link in the mean
  double scale_ = 1;                                           ///< bytes per unit of the guest
  std::vector<CommGraph> turns_;                               ///< volumes as in the guest
  std::vector<std::vector<std::pair<Rank, Rank>>> reduction_;  ///< who sends to whom, by round
  std::array<Program, 2> programs_;                            ///< as `IterationCost::times`
};

}  // namespace vtopo::detail::overlay
