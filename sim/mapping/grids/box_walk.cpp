#include "sim/mapping/grids/box_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "topology/divisors.hpp"

namespace vtopo::detail {

namespace {

class BoxWalk {
 public:
  BoxWalk(const Cartesian& grid, std::span<const BoxCuts> cuts,
          std::span<const std::size_t> slow_to_fast, CellOrder cells)
      : strides_(grid.strides()),
        cuts_(cuts),
        dimensions_(slow_to_fast),
        snake_(cells == CellOrder::snake),
        box_(cuts.size(), 0),
        backwards_(cuts.size(), false) {
    order_.reserve(static_cast<std::size_t>(grid.num_ranks()));
  }

  FillOrder run() {
    walk(0, false);
    return std::move(order_);
  }

 private:
  /// All boxes that share their place in the first `level` dimensions.
  void walk(std::size_t level, bool backwards) {
    if (level == dimensions_.size()) return walk_cells(0, 0, false);
    const std::size_t d = dimensions_[level];
    const std::size_t boxes = cuts_[d].size() - 1;
    backwards_[d] = backwards;
    for (std::size_t i = 0; i < boxes; ++i) {
      box_[d] = backwards ? boxes - 1 - i : i;
      walk(level + 1, backwards != (box_[d] % 2 == 1));
    }
  }

  void walk_cells(std::size_t level, int rank, bool turned) {
    if (level == dimensions_.size()) return order_.push_back(Rank{rank});
    const std::size_t d = dimensions_[level];
    const int low = cuts_[d][box_[d]], high = cuts_[d][box_[d] + 1];
    const bool backwards = backwards_[d] != turned;
    for (int i = 0; i < high - low; ++i) {
      const int c = backwards ? high - 1 - i : low + i;
      walk_cells(level + 1, rank + c * strides_[d], snake_ && turned != (i % 2 == 1));
    }
  }

  std::span<const int> strides_;
  std::span<const BoxCuts> cuts_;
  std::span<const std::size_t> dimensions_;
  bool snake_;
  std::vector<std::size_t> box_;  ///< the one being walked, per dimension
  std::vector<bool> backwards_;
  FillOrder order_;
};

}  // namespace

BoxCuts cuts_every(int side, int size) {
  BoxCuts cuts;
  for (std::int64_t c = 0; c < size; c += side) cuts.push_back(static_cast<int>(c));
  cuts.push_back(size);
  return cuts;
}

BoxCuts even_cuts(int parts, int size) {
  BoxCuts cuts{0};
  for (int i = 0; i < parts; ++i)
    cuts.push_back(cuts.back() + size / parts + (i < size % parts ? 1 : 0));
  return cuts;
}

FillOrder walk_boxes(const Cartesian& grid, std::span<const BoxCuts> cuts,
                     std::span<const std::size_t> slow_to_fast, CellOrder cells) {
  return BoxWalk(grid, cuts, slow_to_fast, cells).run();
}

std::optional<std::vector<int>> cheapest_box(int cells, std::size_t dimensions,
                                             const std::function<double(std::size_t, int)>& cost) {
  constexpr double impossible = std::numeric_limits<double>::infinity();
  const std::vector<int> products = divisors(cells);
  // best[d][p]: least cost of sides in dimensions d and later whose product is products[p].
  std::vector<std::vector<double>> best(dimensions + 1,
                                        std::vector<double>(products.size(), impossible));
  std::vector<std::vector<int>> side(dimensions, std::vector<int>(products.size(), 0));
  best[dimensions][0] = 0;
  const auto position = [&](int product) {
    return static_cast<std::size_t>(std::lower_bound(products.begin(), products.end(), product) -
                                    products.begin());
  };
  for (std::size_t d = dimensions; d-- > 0;)
    for (std::size_t p = 0; p < products.size(); ++p)
      for (const int s : products) {
        if (s > products[p]) break;
        if (products[p] % s != 0) continue;
        const double rest = best[d + 1][position(products[p] / s)];
        if (rest == impossible) continue;
        const double sum = cost(d, s) + rest;
        if (sum >= best[d][p]) continue;
        best[d][p] = sum;
        side[d][p] = s;
      }
  if (best[0].back() == impossible) return std::nullopt;
  std::vector<int> sides;
  for (std::size_t d = 0, p = products.size() - 1; d < dimensions; ++d) {
    sides.push_back(side[d][p]);
    p = position(products[p] / side[d][p]);
  }
  return sides;
}

}  // namespace vtopo::detail
