#include "sim/evaluation/bounds/guest_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace vtopo {

namespace {

/// Finds sides one after the other, the fastest first; the first chain that holds wins.
class GridSearch {
 public:
  explicit GridSearch(const Partners& partners) : partners_(partners) {}

  std::optional<GuestGrid> find() {
    if (partners_.num_ranks() < 2 || !extend(1)) return std::nullopt;
    return grid_;
  }

 private:
  /// Sizes that may follow: up to the next stride that rank 0 knows, or to the end.
  std::vector<int> next_sizes(int stride) const {
    std::vector<int> sizes;
    const int all = partners_.num_ranks();
    for (const Partner& partner : partners_.of(Rank{0})) {
      const int next = number(partner.rank);
      if (next > stride && next % stride == 0 && all % next == 0) sizes.push_back(next / stride);
    }
    if (all > stride) sizes.push_back(all / stride);
    if (sizes.size() > most_sizes) sizes.erase(sizes.begin() + most_sizes, sizes.end() - 1);
    return sizes;
  }

  bool extend(int stride) {
    if (stride == partners_.num_ranks()) return true;
    for (const int size : next_sizes(stride)) {
      const auto side = side_of(stride, size);
      if (!side) continue;
      grid_.sides.push_back(*side);
      if (extend(stride * size)) return true;
      grid_.sides.pop_back();
    }
    return false;
  }

  double volume(int rank, int other) const {
    const auto row = partners_.of(Rank{rank});
    const auto at =
        std::lower_bound(row.begin(), row.end(), Rank{other},
                         [](const Partner& partner, Rank value) { return partner.rank < value; });
    return at != row.end() && at->rank == Rank{other} ? at->both().value : 0;
  }

  std::optional<GuestSide> side_of(int stride, int size) const {
    GuestSide side{size, size > 2, std::numeric_limits<double>::infinity()};
    double around = side.volume;
    for (int r = 0; r < partners_.num_ranks(); ++r) {
      const int coordinate = r / stride % size;
      if (coordinate + 1 < size) {
        side.volume = std::min(side.volume, volume(r, r + stride));
        if (side.volume == 0) return std::nullopt;
      } else if (around > 0 && side.wraps) {
        around = std::min(around, volume(r, r - coordinate * stride));
      }
    }
    side.wraps = side.wraps && around > 0;
    if (side.wraps) side.volume = std::min(side.volume, around);
    return side;
  }

  static constexpr std::size_t most_sizes = 64;
  const Partners& partners_;
  GuestGrid grid_;
};

/// Harper's theorem is for cubes of one volume.
void make_even(GuestGrid& grid) {
  double least = std::numeric_limits<double>::infinity();
  for (const GuestSide& side : grid.sides) {
    if (side.size != 2) return;
    least = std::min(least, side.volume);
  }
  for (GuestSide& side : grid.sides) side.volume = least;
}

}  // namespace

int GuestGrid::num_ranks() const {
  int ranks = 1;
  for (const GuestSide& side : sides) ranks *= side.size;
  return ranks;
}

std::optional<GuestGrid> find_guest_grid(const Partners& partners) {
  auto grid = GridSearch(partners).find();
  if (grid) make_even(*grid);
  return grid;
}

}  // namespace vtopo
