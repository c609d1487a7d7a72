#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/measure_state.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/state/occupancy.hpp"
#include "sim/mapping/state/route_loads.hpp"

namespace vtopo::detail {

/// Embedding under refinement that knows its cost under any objective: a change updates the figures
/// of the guest edges that it touches, along their exact routes if congestion counts. A change is
/// probed, then committed or rejected.
///
/// The cost is that of the objective, followed by what shows a step in the right direction where
/// the largest of many figures stays as it is: the tie-breakers of its measures, and at last the
/// hop-bytes.
class ObjectiveState {
 public:
  /// The problem must outlive the state; its own objective does not matter.
  ObjectiveState(const MappingProblem& problem, const Embedding& start, const Objective& objective);

  const Occupancy& occupancy() const { return occupancy_; }
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
  RouteLoads& loads();

 private:
  struct Edge {
    Rank other{};
    Bytes volume;
    bool leaves = false;  ///< from the rank that lists it
  };
  struct Term {
    const MeasureState* state;
    double weight;
  };

  const MeasureState* state_of(const Measure& measure) const;

  void list_edges(const CommGraph& guest);
  void count_edges_of(Rank rank, std::optional<Rank> skipped, bool add);
  void count_edges(const RankChange& change, bool add);
  void count(Place from, Place to, Bytes volume, bool add);
  void sum_up(Cost& cost) const;
  double energy_of(const Cost& cost) const;
  std::span<const Edge> edges_of(Rank rank) const {
    return {edges_.data() + offsets_[index(rank)], edges_.data() + offsets_[index(rank) + 1]};
  }

  const MappingProblem& problem_;
  Partners partners_;
  HopTable table_;
  Occupancy occupancy_;
  std::vector<Edge> edges_;  ///< of every rank, self loops left out
  std::vector<std::size_t> offsets_;
  /// In the order of the table; those of no use are left out.
  std::vector<std::pair<const Measure*, std::unique_ptr<MeasureState>>> states_;
  std::vector<std::vector<Term>> sums_;  ///< of the objective
  const MeasureState* hop_bytes_ = nullptr;
  RankChange probed_;
  Place from_{};  ///< of the rank of the probed change
  Cost cost_;
  Cost probed_cost_;
  Cost scales_;
  double energy_ = 0;
  double probed_energy_ = 0;
};

}  // namespace vtopo::detail
