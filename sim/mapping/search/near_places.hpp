#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sim/mapping/state/hop_table.hpp"

namespace vtopo {

/// A few of the places nearest to each place. Where hops are not kept only some places are looked
/// at: those whose positions in the allocation are near or a power of two apart, which on numbered
/// networks finds neighbours in most dimensions and levels.
class NearPlaces {
 public:
  /// @param most places listed for each place, itself left out.
  NearPlaces(const HopTable& table, int most);

  /// In no particular order.
  std::span<const Place> of(Place place) const {
    return {places_.data() + index(place) * count_, count_};
  }

 private:
  void list_from_row(const HopTable& table, Place place);
  void list_from_offsets(const HopTable& table, Place place);

  std::size_t count_;
  std::vector<Place> places_;
  std::vector<std::pair<int, int>> found_;  ///< hops and position; storage reused
};

}  // namespace vtopo
