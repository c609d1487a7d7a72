#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/mapping/more_mappers/layouts/tiles.hpp"

namespace vtopo::detail::mappers {

namespace {

/// A grid and how many directed edges of a rank each plane through it cuts.
class TiledGrid {
 public:
  TiledGrid(const Cartesian& grid, const GuestStencil& stencil) : grid_(grid) {
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d)
      weights_.push_back(stencil.cut_edges(d));
    if (std::all_of(weights_.begin(), weights_.end(), [](int w) { return w == 0; }))
      std::fill(weights_.begin(), weights_.end(), 1);
  }

  /// Tiles of `ranks` ranks, those at the ends cut off; nothing if no box in the grid has so many.
  std::optional<std::vector<BoxCuts>> tiles_of(int ranks) const {
    const auto sides = cheapest_box(ranks, weights_.size(), [&](std::size_t d, int side) {
      return side > size(d) ? impossible : cut(d, static_cast<double>(size(d)) / side);
    });
    if (!sides) return std::nullopt;
    std::vector<BoxCuts> cuts;
    for (std::size_t d = 0; d < sides->size(); ++d)
      cuts.push_back(cuts_every((*sides)[d], size(d)));
    return cuts;
  }

  /// `count` tiles of almost equal sides; nothing if the grid cannot be cut into so many.
  std::optional<std::vector<BoxCuts>> even_tiles(int count) const {
    const auto parts = cheapest_box(count, weights_.size(), [&](std::size_t d, int n) {
      return n > size(d) ? impossible : cut(d, n);
    });
    if (!parts) return std::nullopt;
    std::vector<BoxCuts> cuts;
    for (std::size_t d = 0; d < parts->size(); ++d) cuts.push_back(even_cuts((*parts)[d], size(d)));
    return cuts;
  }

  /// The tiles in snake order, the dimension with the fewest tiles changing fastest: turns are
  /// short.
  FillOrder walk(const std::vector<BoxCuts>& cuts) const {
    std::vector<std::size_t> order(cuts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cuts[a].size() > cuts[b].size(); });
    return walk_boxes(grid_, cuts, order);
  }

 private:
  static constexpr double impossible = std::numeric_limits<double>::infinity();

  int size(std::size_t d) const { return grid_.dimensions()[d].size; }

  /// Edges cut along d by so many tiles.
  double cut(std::size_t d, double tiles) const {
    const double planes =
        std::max(0.0, tiles - (grid_.dimensions()[d].periodic() && tiles > 1 ? 0 : 1));
    return planes * weights_[d] * (static_cast<double>(grid_.num_ranks()) / size(d));
  }

  const Cartesian& grid_;
  std::vector<int> weights_;
};

Embedding map_tile(const MappingProblem& problem, const SearchControl&) {
  const Cartesian& grid = *problem.grid;
  const HostFill fill(problem.allocation, grid.num_ranks());
  const TiledGrid tiled(grid, GuestStencil(problem.guest, grid));
  std::vector<FillOrder> orders;
  // A box of one rank always fits, so the search ends.
  for (int ranks = fill.typical_ranks(); orders.empty(); --ranks)
    if (const auto cuts = tiled.tiles_of(ranks)) orders.push_back(tiled.walk(*cuts));
  if (const auto cuts = tiled.even_tiles(fill.num_hosts())) orders.push_back(tiled.walk(*cuts));
  return fill_hosts(best_order(problem.guest, fill, std::move(orders)), problem.allocation);
}

}  // namespace

/// Boxes of as many ranks as a host takes, with the sides that cut the fewest edges of the stencil
/// (near-cubic for nearest neighbours), in snake order; or the grid in as many almost equal boxes
/// as there are hosts, whichever has the smaller Jsum. Hosts take consecutive ranks, so where tiles
/// do not fill them exactly they run on into the next tile. Tiles of equal shape: A. Bhatele et
/// al., "Mapping applications with collectives over sub-communicators on torus networks" (SC 2012).
MapperInfo tile() {
  return {.name = "tile",
          .summary = "near-cubic boxes of ranks, one per host, in snake order",
          .reference = "Bhatele et al. (Rubik), SC 2012",
          .unsupported_reason = grid_missing,
          .map = map_tile};
}

}  // namespace vtopo::detail::mappers
