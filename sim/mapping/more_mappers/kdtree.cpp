#include <algorithm>
#include <limits>

#include "sim/mapping/more_mappers/layouts/tiles.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Halves boxes of a grid until they are single ranks.
class Halving {
 public:
  Halving(const Cartesian& grid, const GuestStencil& stencil) : grid_(grid) {
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
      crossing_.push_back(stencil.num_crossing(d));
      sides_.push_back(grid.dimensions()[d].size);
    }
    order_.reserve(static_cast<std::size_t>(grid.num_ranks()));
  }

  FillOrder run() {
    halve(0);
    return std::move(order_);
  }

 private:
  /// Longest dimension, in ranks per offset that crosses it; nothing for a single rank.
  std::optional<std::size_t> longest() const {
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t d = 0; d < sides_.size(); ++d) {
      if (sides_[d] == 1) continue;
      const double length = crossing_[d] == 0 ? std::numeric_limits<double>::max()
                                              : static_cast<double>(sides_[d]) / crossing_[d];
      if (best && length <= most) continue;
      best = d;
      most = length;
    }
    return best;
  }

  /// @param first the rank at the low corner of the box with sides `sides_`.
  void halve(int first) {
    const auto d = longest();
    if (!d) return order_.push_back(Rank{first});
    const int side = sides_[*d];
    sides_[*d] = side / 2;
    halve(first);
    sides_[*d] = side - side / 2;
    halve(first + side / 2 * grid_.strides()[*d]);
    sides_[*d] = side;
  }

  const Cartesian& grid_;
  std::vector<int> crossing_;  ///< offsets, one entry per dimension
  std::vector<int> sides_;     ///< of the box at hand
  FillOrder order_;
};

Embedding map_kdtree(const MappingProblem& problem, const SearchControl&) {
  const GuestStencil stencil(problem.guest, *problem.grid);
  return fill_hosts(Halving(*problem.grid, stencil).run(), problem.allocation);
}

}  // namespace

/// Halves the grid along its longest dimension, lengths divided by the number of stencil offsets
/// that cross it, down to single ranks; hosts take consecutive ones. Knows no slots, so it maps
/// any. S. Hunold, K. von Kirchbach, M. Lehr, C. Schulz, J. L. Träff, "Efficient Process-to-Node
/// Mapping Algorithms for Stencil Computations" (CLUSTER 2020), section V.B.
MapperInfo kdtree() {
  return {.name = "kdtree",
          .summary = "halves the grid down to single ranks, hosts take consecutive ones",
          .reference = "Hunold et al., CLUSTER 2020",
          .unsupported_reason = grid_missing,
          .map = map_kdtree,
          .work = {.microseconds_per_rank = 0.02, .microseconds_per_edge = 0.002}};
}

}  // namespace vtopo::detail::mappers
