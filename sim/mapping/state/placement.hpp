#pragma once

#include <optional>
#include <vector>

#include "sim/embedding/embedding.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo {

/// Hop-bytes of the guest edges that an exchange touches, before and after it.
struct HopBytesChange {
  Bytes before;
  Bytes after;

  Bytes gain() const { return before - after; }

  /// Whether hop-bytes fall by more than rounding can explain, so that no sequence of exchanges
  /// that each improve can return to its start.
  bool improves() const { return after.value < before.value * (1 - 1e-12); }
};

/// Embedding under refinement: ranks change places, and what a change does to the hop-bytes is
/// known in O(degree) (C. H. Heider, "A computationally simplified pair-exchange algorithm for the
/// quadratic assignment problem", 1972). Never more ranks in a place than it has slots.
class Placement {
 public:
  /// Arguments other than `embedding` must outlive the placement.
  Placement(const Partners& partners, const HopTable& table, const Allocation& allocation,
            const Embedding& embedding);

  int num_ranks() const { return partners_->num_ranks(); }
  int num_places() const { return table_->num_places(); }
  Place place_of(Rank rank) const { return places_[index(rank)]; }
  bool has_free_slot(Place place) const { return free_[index(place)] > 0; }

  /// What happens if two ranks change places.
  HopBytesChange exchange_change(Rank a, Rank b) const;
  /// Lets two ranks change places.
  void exchange(Rank a, Rank b);

  /// What happens if a rank moves into another place.
  HopBytesChange move_change(Rank rank, Place to) const;

  /// Moves a rank into a place that has a free slot.
  void move(Rank rank, Place to);

  /// Hop-bytes of the whole guest, computed anew.
  Bytes hop_bytes() const;

  Embedding embedding() const;

 private:
  struct Exchanged {
    Rank rank;
    Place place;
  };
  Bytes hop_bytes_of(Rank rank, Place at, std::optional<Rank> skipped,
                     std::optional<Exchanged> exchanged) const;

  const Partners* partners_;
  const HopTable* table_;
  const Allocation* allocation_;
  std::vector<Place> places_;  ///< one entry per rank
  std::vector<int> free_;      ///< slots, one entry per place
};

}  // namespace vtopo
