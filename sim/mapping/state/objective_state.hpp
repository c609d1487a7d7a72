#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/mapping/state/link_loads.hpp"
#include "sim/mapping/state/measure_state.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo::detail {

/// Two ranks change places, or a rank moves into a place with a free slot.
struct RankChange {
  Rank rank{};
  std::optional<Rank> other;  ///< sits at `to`; absent for a move
  Place to{};
};

/// Each rank on the host of its place.
Embedding embedding_at(const std::vector<Place>& places, const Allocation& allocation);

/// Who sits where: the place of every rank and the ranks of every place.
class Occupancy {
 public:
  /// The allocation must outlive the occupancy.
  Occupancy(const Allocation& allocation, const Embedding& embedding);

  int num_ranks() const { return static_cast<int>(places_.size()); }
  int num_places() const { return static_cast<int>(free_.size()); }
  Place place_of(Rank rank) const { return places_[index(rank)]; }
  bool has_free_slot(Place place) const { return free_[index(place)] > 0; }
  std::span<const Rank> ranks_at(Place place) const { return ranks_[index(place)]; }

  /// Makes a change. An exchange is its own reverse.
  void apply(const RankChange& change);

  const std::vector<Place>& places() const { return places_; }
  Embedding embedding() const { return embedding_of(places_); }
  Embedding embedding_of(const std::vector<Place>& places) const {
    return embedding_at(places, *allocation_);
  }

 private:
  void move(Rank rank, Place to);

  const Allocation* allocation_;
  std::vector<Place> places_;             ///< one entry per rank
  std::vector<std::size_t> positions_;    ///< of every rank among the ranks of its place
  std::vector<std::vector<Rank>> ranks_;  ///< one entry per place
  std::vector<int> free_;                 ///< slots, one entry per place
};

/// Embedding under refinement that knows its hop-bytes, in O(degree) per tried change: what a rank
/// costs where it sits is kept until it or a partner moves, so that a try only adds up what the
/// ranks would cost elsewhere. A change is probed, then committed or rejected (C. H. Heider, "A
/// computationally simplified pair-exchange algorithm for the quadratic assignment problem", 1972).
class HopBytesState {
 public:
  /// All but `start` must outlive the state.
  HopBytesState(const Partners& partners, const HopTable& table, const Allocation& allocation,
                const Embedding& start);

  const Occupancy& occupancy() const { return occupancy_; }
  const HopTable& table() const { return table_; }
  const Partners& partners() const { return partners_; }

  /// What a change adds to the hop-bytes; negative if it is good.
  double probe(const RankChange& change);

  /// Whether the probed change lowers the hop-bytes by more than rounding can explain, so that no
  /// sequence of such changes can return to its start.
  bool improves() const { return after_ < before_ * (1 - 1e-12); }

  void commit();
  void reject() {}

  /// Hop-bytes of the whole guest, as summed up by the changes.
  double energy() const { return energy_; }
  /// That is the value of the objective.
  double value() const { return energy_; }

 private:
  struct Pull {
    std::int32_t rank;
    double sent;      ///< both directions where hops are symmetric
    double received;  ///< unused there
  };

  double cost_here(Rank rank);
  double cost_at(Rank rank, Place at) const;
  double cost_between(Rank rank, Rank other, Place at, Place there) const;
  std::span<const Pull> pulls_of(Rank rank) const {
    return {pulls_.data() + offsets_[index(rank)], pulls_.data() + offsets_[index(rank) + 1]};
  }

  const Partners& partners_;
  const HopTable& table_;
  Occupancy occupancy_;
  std::vector<Pull> pulls_;
  std::vector<std::size_t> offsets_;
  std::vector<double> costs_;  ///< of each rank where it sits; negative: not known
  RankChange probed_;
  double before_ = 0;
  double after_ = 0;
  double energy_ = 0;
};

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
  /// The first of its figures.
  double value() const { return cost_.front(); }

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
