#pragma once

#include <span>
#include <vector>

namespace vtopo::detail {

/// Axis of a grid of numbered cells: neighbours along it differ by `stride`.
struct GridAxis {
  int size = 1;
  int stride = 1;

  friend bool operator==(const GridAxis&, const GridAxis&) = default;
};

/// Order in which to visit the cells of a grid: their numbers, the sums of coordinate times stride.
/// Every cell comes once. The last axis is the fastest.
using GridCurve = std::vector<int> (*)(std::span<const GridAxis> axes);

/// Lexicographic order of the coordinates.
std::vector<int> row_major_order(std::span<const GridAxis> axes);

/// Boustrophedon: each axis turns around where a slower one steps, so that consecutive cells are
/// neighbours (reflected Gray code in mixed radix; Knuth, TAOCP 7.2.1.1).
std::vector<int> snake_order(std::span<const GridAxis> axes);

/// Hilbert curve of the enclosing cube of side 2^m without the cells outside the grid (C. Hamilton
/// and A. Rau-Chaplin, "Compact Hilbert indices", Information Processing Letters 2008). Consecutive
/// cells are neighbours if the sizes are equal powers of two.
std::vector<int> hilbert_order(std::span<const GridAxis> axes);

/// Order of the interleaved bits of the coordinates, the first axis highest (G. M. Morton, 1966).
std::vector<int> morton_order(std::span<const GridAxis> axes);

}  // namespace vtopo::detail
