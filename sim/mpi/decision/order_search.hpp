#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/decision/iteration.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail::overlay {

/// A new order, who found it and what part of the time of an iteration it saves.
struct BetterOrder {
  Embedding embedding;
  std::string mapper;
  double gain = 0;
};

/// The new order with the shortest iteration of those offered.
class OrderSearch {
 public:
  /// @param iteration @param before the order to beat; must outlive this.
  /// @param min_gain part of the time of an iteration that a new order must save.
  OrderSearch(const Iteration& iteration, const Embedding& before, double min_gain);

  /// Takes the order if it saves enough and is better than what was offered before.
  void offer(const Embedding& embedding, const std::string& mapper);

  /// Offers what exchanges of two ranks make of the best orders and of the old one, then of orders
  /// that differ from one of them in a few ranks: the best of a neighbourhood is often not the best
  /// one. Of many ranks there is no time for it.
  void improve(const Allocation& allocation, std::uint64_t seed);

  const std::optional<BetterOrder>& best() const { return best_; }  ///< of those offered

 private:
  /// An order that exchanges may start from.
  struct Start {
    std::vector<HostId> hosts;  ///< by rank
    std::string mapper;         ///< empty: the old order
    double badness = 1;
    IterationCost cost;
  };

  double badness(const IterationCost& cost) const;
  void take_if_better(const Embedding& embedding, const std::string& mapper,
                      const IterationCost& cost);
  bool descend(Start& start, const Allocation& allocation, Random& random);

  const Iteration& iteration_;
  const Embedding& before_;
  IterationCost old_;
  double min_gain_;
  std::int64_t left_;  ///< messages that exchanges may still look at
  std::optional<BetterOrder> best_;
  double best_badness_ = 1;
  std::vector<Start> offered_;
};

}  // namespace vtopo::detail::overlay
