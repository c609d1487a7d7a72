#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/placement/embedding.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Two ranks change places, or a rank moves into a place with a free slot.
struct RankChange {
  Rank rank{};
  std::optional<Rank> other;  ///< sits at `to`; absent for a move
  Place to{};
};

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
  Embedding embedding_of(const std::vector<Place>& places) const;

 private:
  void move(Rank rank, Place to);

  const Allocation* allocation_;
  std::vector<Place> places_;             ///< one entry per rank
  std::vector<std::size_t> positions_;    ///< of every rank among the ranks of its place
  std::vector<std::vector<Rank>> ranks_;  ///< one entry per place
  std::vector<int> free_;                 ///< slots, one entry per place
};

}  // namespace vtopo::detail
