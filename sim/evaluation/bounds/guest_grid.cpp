#include "sim/evaluation/bounds/guest_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/evaluation/guest_lattice.hpp"

namespace vtopo::detail {

namespace {

/// The guest with its ranks in the order of the cells of a supposed grid.
class GuestCells {
 public:
  GuestCells(const Partners& partners, std::vector<int> rank_at)
      : partners_(partners), rank_at_(std::move(rank_at)) {}

  /// The side of a size whose neighbours are `stride` cells apart, if the guest has its edges.
  std::optional<GuestSide> side_of(int stride, int size) const {
    GuestSide side{size, size > 2, std::numeric_limits<double>::infinity()};
    double around = side.volume;
    for (int cell = 0; cell < partners_.num_ranks(); ++cell) {
      const int coordinate = cell / stride % size;
      if (coordinate + 1 < size) {
        side.volume = std::min(side.volume, volume(cell, cell + stride));
        if (side.volume == 0) return std::nullopt;
      } else if (around > 0 && side.wraps) {
        around = std::min(around, volume(cell, cell - coordinate * stride));
      }
    }
    side.wraps = side.wraps && around > 0;
    if (side.wraps) side.volume = std::min(side.volume, around);
    return side;
  }

 private:
  double volume(int cell, int other_cell) const {
    const auto row = partners_.of(Rank{rank_at_[index(cell)]});
    const Rank other{rank_at_[index(other_cell)]};
    const auto at =
        std::lower_bound(row.begin(), row.end(), other,
                         [](const Partner& partner, Rank value) { return partner.rank < value; });
    return at != row.end() && at->rank == other ? at->both().value : 0;
  }

  const Partners& partners_;
  std::vector<int> rank_at_;
};

/// Finds sides in the numbering one after the other, the fastest first; the first chain that holds
/// wins.
class GridSearch {
 public:
  explicit GridSearch(const Partners& partners)
      : partners_(partners), cells_(partners, in_order(partners.num_ranks())) {}

  std::optional<GuestGrid> find() {
    if (partners_.num_ranks() < 2 || !extend(1)) return std::nullopt;
    return grid_;
  }

 private:
  static std::vector<int> in_order(int ranks) {
    std::vector<int> numbers(index(ranks));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  /// Sizes that may follow: up to the next stride that rank 0 knows, or to the end.
  std::vector<int> next_sizes(int stride) const {
    std::vector<int> sizes;
    const int all = partners_.num_ranks();
    for (const Partner& partner : partners_.of(Rank{0})) {
      const int next = number(partner.rank);
      if (next > stride && next % stride == 0 && all % next == 0) sizes.push_back(next / stride);
    }
    if (all > stride) sizes.push_back(all / stride);
    if (sizes.size() > max_sizes) sizes.erase(sizes.begin() + max_sizes, sizes.end() - 1);
    return sizes;
  }

  bool extend(int stride) {
    if (stride == partners_.num_ranks()) return true;
    for (const int size : next_sizes(stride)) {
      const auto side = cells_.side_of(stride, size);
      if (!side) continue;
      grid_.sides.push_back(*side);
      if (extend(stride * size)) return true;
      grid_.sides.pop_back();
    }
    return false;
  }

  static constexpr std::size_t max_sizes = 64;
  const Partners& partners_;
  GuestCells cells_;
  GuestGrid grid_;
};

/// The grid that the edges form, whatever the order of the ranks.
std::optional<GuestGrid> grid_in_any_order(const Partners& partners) {
  const auto lattice = find_lattice(partners);
  if (!lattice) return std::nullopt;
  std::vector<int> rank_at(lattice->cell_of.size());
  for (std::size_t r = 0; r < rank_at.size(); ++r)
    rank_at[index(lattice->cell_of[r])] = static_cast<int>(r);
  const GuestCells cells(partners, std::move(rank_at));
  const auto dimensions = lattice->grid.dimensions();
  GuestGrid grid;
  int stride = 1;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    if (dimension->size == 1) continue;
    const auto side = cells.side_of(stride, dimension->size);
    if (!side) return std::nullopt;
    grid.sides.push_back(*side);
    stride *= dimension->size;
  }
  return grid;
}

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
  if (!grid) grid = grid_in_any_order(partners);
  if (grid) make_even(*grid);
  return grid;
}

}  // namespace vtopo::detail
