#include "sim/mapping/grids/guest_stencil.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace vtopo::detail {

namespace {

using Offsets = std::vector<std::vector<int>>;

/// Collects distinct offsets. Ranks of a stencil send in the same order, so that the next offset is
/// mostly the one behind the last one.
class OffsetSet {
 public:
  void add(const std::vector<int>& offset) {
    if (++last_ >= offsets_.size()) last_ = 0;
    if (last_ < offsets_.size() && offsets_[last_] == offset) return;
    const auto [found, is_new] = position_.try_emplace(offset, offsets_.size());
    if (is_new) offsets_.push_back(offset);
    last_ = found->second;
  }

  Offsets take() { return std::move(offsets_); }

 private:
  Offsets offsets_;
  std::map<std::vector<int>, std::size_t> position_;
  std::size_t last_ = 0;
};

/// The shorter way around a periodic dimension.
int short_way(int offset, const Dimension& dimension) {
  if (!dimension.periodic()) return offset;
  if (2 * std::int64_t{offset} > dimension.size) return offset - dimension.size;
  if (2 * std::int64_t{offset} <= -std::int64_t{dimension.size}) return offset + dimension.size;
  return offset;
}

Offsets distinct_offsets(const CommGraph& guest, const Cartesian& grid) {
  const auto dimensions = grid.dimensions();
  std::vector<int> from(dimensions.size()), to(dimensions.size());
  OffsetSet found;
  for (int r = 0; r < guest.num_ranks(); ++r) {
    grid.coords(Rank{r}, from);
    for (const CommEdge& edge : guest.out_edges(Rank{r})) {
      if (edge.destination == Rank{r}) continue;
      grid.coords(edge.destination, to);
      for (std::size_t d = 0; d < to.size(); ++d) to[d] = short_way(to[d] - from[d], dimensions[d]);
      found.add(to);
    }
  }
  return found.take();
}

Offsets nearest_neighbours(std::size_t dimensions) {
  Offsets offsets;
  for (std::size_t d = 0; d < dimensions; ++d)
    for (const int step : {-1, 1}) {
      offsets.emplace_back(dimensions, 0);
      offsets.back()[d] = step;
    }
  return offsets;
}

}  // namespace

GuestStencil::GuestStencil(const CommGraph& guest, const Cartesian& grid)
    : num_dimensions_(grid.dimensions().size()), offsets_(distinct_offsets(guest, grid)) {
  if (offsets_.empty()) offsets_ = nearest_neighbours(num_dimensions_);
}

int GuestStencil::num_crossing(std::size_t d) const {
  int count = 0;
  for (const auto& offset : offsets_) count += offset[d] != 0;
  return count;
}

int GuestStencil::cut_edges(std::size_t d) const {
  int sum = 0;
  for (const auto& offset : offsets_) sum += std::abs(offset[d]);
  return sum;
}

double GuestStencil::parallelism(std::size_t d) const {
  double sum = 0;
  for (const auto& offset : offsets_) {
    double length = 0;
    for (const int o : offset) length += static_cast<double>(o) * o;
    sum += static_cast<double>(offset[d]) * offset[d] / length;
  }
  return sum;
}

std::vector<double> GuestStencil::distortion() const {
  std::vector<double> sides(num_dimensions_, 0);
  double log_volume = 0;
  int spread = 0;
  for (std::size_t d = 0; d < num_dimensions_; ++d) {
    int low = 0, high = 0;
    for (const auto& offset : offsets_) {
      low = std::min(low, offset[d]);
      high = std::max(high, offset[d]);
    }
    sides[d] = high - low;
    if (sides[d] == 0) continue;
    log_volume += std::log(sides[d]);
    ++spread;
  }
  for (double& side : sides)
    if (side > 0) side = side * std::exp(-log_volume / spread);
  return sides;
}

}  // namespace vtopo::detail
