#include "sim/mapping/grids/space_filling.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace vtopo::detail {

namespace {

std::size_t num_cells(std::span<const GridAxis> axes) {
  std::size_t cells = 1;
  for (const GridAxis& axis : axes) cells *= static_cast<std::size_t>(axis.size);
  return cells;
}

/// Orders in which slow axes step while the fast ones before are done: built from the fastest.
std::vector<int> odometer_order(std::span<const GridAxis> axes, bool turns) {
  std::vector<int> order{0};
  order.reserve(num_cells(axes));
  for (std::size_t a = axes.size(); a-- > 0;) {
    const std::size_t block = order.size();
    for (int c = 1; c < axes[a].size; ++c)
      for (std::size_t i = 0; i < block; ++i)
        order.push_back(order[turns && c % 2 != 0 ? block - 1 - i : i] + c * axes[a].stride);
  }
  return order;
}

/// Walks through the halves, quarters, ... of the enclosing cube; parts outside the grid are left
/// out unseen. Bit j of a part belongs to axis n-1-j.
class CubeWalk {
 public:
  CubeWalk(std::span<const GridAxis> axes, bool hilbert) : hilbert_(hilbert) {
    int largest = 1;
    for (std::size_t a = axes.size(); a-- > 0;) {
      if (axes[a].size > 1) axes_.push_back(axes[a]);
      largest = std::max(largest, axes[a].size);
    }
    levels_ = static_cast<int>(std::bit_width(static_cast<unsigned>(largest - 1)));
    order_.reserve(num_cells(axes));
    low_.resize(axes_.size(), 0);
  }

  std::vector<int> run() {
    visit(levels_ - 1, 0, 0, 0);
    return std::move(order_);
  }

 private:
  using Part = std::uint32_t;

  Part rotated(Part part, unsigned by) const {
    const auto n = static_cast<unsigned>(axes_.size());
    by %= n;
    return by == 0 ? part : ((part << by) | (part >> (n - by))) & ((Part{1} << n) - 1);
  }

  /// Visits a part of side 2^(level+1) that the curve enters at corner `entry` and crosses in
  /// direction `direction` (e and d of Hamilton and Rau-Chaplin).
  void visit(int level, int cell, Part entry, unsigned direction) {
    if (level < 0) {
      order_.push_back(cell);
      return;
    }
    const auto n = static_cast<unsigned>(axes_.size());
    for (Part w = 0; w < Part{1} << n; ++w) {
      const Part part = hilbert_ ? rotated(w ^ (w >> 1), direction + 1) ^ entry : w;
      if (!inside(part, level)) continue;
      const int there = cell + move(part, level, 1);
      const Part even = w == 0 ? 0 : (w - 1) & ~Part{1};
      visit(level - 1, there, entry ^ rotated(even ^ (even >> 1), direction + 1),
            (direction + turn(w) + 1) % n);
      move(part, level, -1);
    }
  }

  unsigned turn(Part w) const {
    if (w == 0) return 0;
    const Part bits = w % 2 == 0 ? w - 1 : w;
    return static_cast<unsigned>(std::countr_one(bits)) % static_cast<unsigned>(axes_.size());
  }

  bool inside(Part part, int level) const {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if ((part >> a & 1) != 0 && low_[a] + (std::int64_t{1} << level) >= axes_[a].size)
        return false;
    return true;
  }

  /// Moves the low corner into a part or back. @returns what that adds to the number of the cell.
  int move(Part part, int level, int sign) {
    int added = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if ((part >> a & 1) == 0) continue;
      low_[a] += sign * (1 << level);
      added += sign * (1 << level) * axes_[a].stride;
    }
    return added;
  }

  bool hilbert_;
  int levels_ = 0;
  std::vector<GridAxis> axes_;  ///< of size > 1, fastest first
  std::vector<int> low_;        ///< corner of the part at hand
  std::vector<int> order_;
};

}  // namespace

std::vector<int> row_major_order(std::span<const GridAxis> axes) {
  return odometer_order(axes, false);
}

std::vector<int> snake_order(std::span<const GridAxis> axes) {
  return odometer_order(axes, true);
}

std::vector<int> hilbert_order(std::span<const GridAxis> axes) {
  return CubeWalk(axes, true).run();
}

std::vector<int> morton_order(std::span<const GridAxis> axes) {
  return CubeWalk(axes, false).run();
}

}  // namespace vtopo::detail
