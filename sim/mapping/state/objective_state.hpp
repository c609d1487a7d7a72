#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/route_loads.hpp"
#include "sim/mapping/state/seats.hpp"

namespace vtopo {

/// Embedding under refinement that knows its cost under any objective: a change updates the figures
/// of the guest edges that it touches, along their exact routes if congestion counts. A change is
/// probed, then committed or rejected.
///
/// The cost is that of the objective, followed by what tells a step in the right direction where
/// the largest of many figures stays as it is: sums of squares of the congestions, dilations and
/// edges leaving hosts that the objective takes the maximum of, and at last the hop-bytes.
class ObjectiveState {
 public:
  /// The problem must outlive the state; its own objective does not matter.
  ObjectiveState(const MappingProblem& problem, const Embedding& start, Objective objective);

  const Seats& seats() const { return seats_; }
  const HopTable& table() const { return table_; }
  const Partners& partners() const { return partners_; }

  /// Makes a change for a try.
  /// @returns what it adds to `energy`.
  double probe(const RankChange& change);

  /// Whether the probed change lowers the first figure of the cost that it changes by more than
  /// rounding can explain.
  bool improves() const;

  void commit();
  void reject();

  /// One number for the whole cost: relative to the start, and each figure counts a hundredth of
  /// the one before it.
  double energy() const { return energy_; }

  const Cost& cost() const { return cost_; }

  /// Congestion of links; only of an objective that counts it.
  RouteLoads& loads() { return *loads_; }

 private:
  struct Edge {
    Rank other;
    Bytes volume;
    bool leaves;  ///< from the rank that lists it
  };
  struct Totals {
    double hop_bytes = 0;
    double jsum = 0;
    double squared_hops = 0;
  };

  void list_edges(const CommGraph& guest);
  void count_edges_of(Rank rank, std::optional<Rank> skipped, bool add);
  void count_edges(const RankChange& change, bool add);
  void count(Place from, Place to, Bytes volume, bool add);
  void count_hops(int hops, double sign);
  double value_of(Measure measure) const;
  void sum_up(Cost& cost) const;
  double energy_of(const Cost& cost) const;
  std::span<const Edge> edges_of(Rank rank) const {
    return {edges_.data() + offsets_[index(rank)], edges_.data() + offsets_[index(rank) + 1]};
  }

  const MappingProblem& problem_;
  Objective objective_;
  Partners partners_;
  HopTable table_;
  Seats seats_;
  std::vector<Edge> edges_;  ///< of every rank, self loops left out
  std::vector<std::size_t> offsets_;
  Totals totals_;
  Totals kept_totals_;
  std::optional<RouteLoads> loads_;
  std::optional<SummedMax> leaving_;     ///< edges that leave a place
  bool counts_hops_ = false;             ///< keeps the histogram
  std::vector<std::int64_t> histogram_;  ///< entry h: edges of h hops
  std::vector<std::pair<std::size_t, int>> histogram_changes_;
  RankChange probed_;
  Place from_{};  ///< of the rank of the probed change
  Cost cost_;
  Cost probed_cost_;
  Cost scales_;
  double energy_ = 0;
  double probed_energy_ = 0;
};

}  // namespace vtopo
