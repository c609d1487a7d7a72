#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/state/occupancy.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail
