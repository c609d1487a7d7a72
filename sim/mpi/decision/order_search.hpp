#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/decision/exchange_cost.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo::detail::overlay {

/// A new order, who found it and what part of the time of an exchange it saves.
struct BetterOrder {
  Embedding embedding;
  std::string mapper;
  double gain = 0;
};

/// A faster order that is not taken, since it makes another figure worse.
struct RefusedOrder {
  double gain = 0;  ///< as of a better one
  Growth worst;
};

/// The new order that saves the most of those offered, none of which may be a loss.
class OrderSearch {
 public:
  /// @param before the order to beat; it, the problem and the network must outlive this.
  OrderSearch(const ReorderProblem& problem, const Network& network, const Embedding& before,
              double min_gain, const ProgramClock& clock);

  /// Takes the order if it is a gain and better than what was offered before.
  void offer(const Embedding& embedding, const std::string& mapper);

  /// Offers what exchanges of two ranks make of these orders and of the best one, then of orders
  /// that differ from one of them in a few ranks: the best of a neighbourhood is often not the best
  /// one, and an order that loses nothing may lie behind others that do. Nothing where costs are
  /// not simulated.
  void improve(std::vector<Embedding> starts, const Allocation& allocation,
               const std::string& mapper, std::uint64_t seed);

  const std::optional<BetterOrder>& best() const { return best_; }  ///< of those offered

  /// The fastest of those refused; empty: none was faster by more than the smallest gain.
  const std::optional<RefusedOrder>& refused() const { return refused_; }

 private:
  void note_refused(const ExchangeCost& cost);
  double badness(const std::vector<HostId>& hosts, const Allocation& allocation,
                 double limit) const;
  Embedding improved(std::vector<HostId> hosts, const Allocation& allocation) const;

  Exchange exchange_;
  const Embedding& before_;
  ExchangeCost old_;
  double min_gain_;
  std::optional<BetterOrder> best_;
  std::optional<RefusedOrder> refused_;
  double relative_ = 1;  ///< its relative cost
};

}  // namespace vtopo::detail::overlay
