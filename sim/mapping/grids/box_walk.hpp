#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/mapping/grids/host_tiles.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// First coordinates of the boxes along one dimension, ascending, and the size of it at the end.
using BoxCuts = std::vector<int>;

/// Cuts every `side`; the last box may be shorter.
BoxCuts cuts_every(int side, int size);

/// Cuts into `parts` <= size boxes whose sides differ by at most one, the longer ones first.
BoxCuts even_cuts(int parts, int size);

/// How the cells inside a box follow one another.
enum class CellOrder { row_major, snake };

/// Ranks of a grid box after box. Boxes follow one another in reflected order, each next to the one
/// before it (snake); where a dimension is walked backwards, so are its cells.
/// @param cuts one entry per dimension.
/// @param slow_to_fast the dimensions, the one that changes least often first.
FillOrder walk_boxes(const Cartesian& grid, std::span<const BoxCuts> cuts,
                     std::span<const std::size_t> slow_to_fast, CellOrder cells = CellOrder::snake);

/// Sides of the box of `cells` cells with the smallest sum of `cost(d, side)`, or nothing if no box
/// has sides that are all allowed. A side is allowed if its cost is finite. Dimensions take small
/// sides first among equals.
std::optional<std::vector<int>> cheapest_box(int cells, std::size_t dimensions,
                                             const std::function<double(std::size_t, int)>& cost);

}  // namespace vtopo::detail
