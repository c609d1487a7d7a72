#include "sim/mapping/search/near_places.hpp"

#include <algorithm>

namespace vtopo {

NearPlaces::NearPlaces(const HopTable& table, int most)
    : count_(static_cast<std::size_t>(std::clamp(most, 0, std::max(table.num_places() - 1, 0)))) {
  places_.reserve(count_ * static_cast<std::size_t>(table.num_places()));
  for (int p = 0; p < table.num_places(); ++p) {
    found_.clear();
    if (table.kept_row(Place{p}) != nullptr)
      list_from_row(table, Place{p});
    else
      list_from_offsets(table, Place{p});
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count_),
                     found_.end());
    for (std::size_t i = 0; i < count_; ++i)
      places_.push_back(Place{(p + found_[i].second) % table.num_places()});
  }
}

/// Second of each pair: how far the position is ahead, cyclically, so that places at the same
/// distance do not all list the first one.
void NearPlaces::list_from_row(const HopTable& table, Place place) {
  const int size = table.num_places();
  const std::uint16_t* const row = table.kept_row(place);
  for (int ahead = 1; ahead < size; ++ahead)
    found_.emplace_back(row[(number(place) + ahead) % size], ahead);
}

void NearPlaces::list_from_offsets(const HopTable& table, Place place) {
  const int size = table.num_places();
  std::vector<int> offsets;
  const int close = static_cast<int>(count_);
  for (int offset = 1; offset <= close; ++offset) offsets.push_back(offset);
  for (int offset = 1; offset < size / 2; offset *= 2)
    for (const int times : {2, 3, 5})
      if (offset <= size / 2 / times) offsets.push_back(offset * times);
  std::vector<int> ahead;
  for (const int offset : offsets) {
    ahead.push_back(offset);
    ahead.push_back(size - offset);
  }
  std::sort(ahead.begin(), ahead.end());
  ahead.erase(std::unique(ahead.begin(), ahead.end()), ahead.end());
  for (const int a : ahead)
    if (a > 0 && a < size)
      found_.emplace_back(table.hops(place, Place{(number(place) + a) % size}), a);
}

}  // namespace vtopo
