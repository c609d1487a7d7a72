#pragma once

#include <vector>

#include "netmodels/more_models/dragonfly_plus/cells.hpp"

namespace vtopo::detail {

/// Appends the links of all shortest routes between two different leaves, each once: an even split
/// at each switch. O(spines + links).
void append_dragonfly_plus_ecmp(const DragonflyPlusCells& cells, int source, int destination,
                                std::vector<LinkShare>& shares);

/// Whether routes between two leaves go by way of a third cell.
inline bool dragonfly_plus_detours(const DragonflyPlusCells& cells, int source, int destination) {
  return cells.cells() > 2 && cells.cell(source) != cells.cell(destination);
}

/// The same for Valiant's routing as on dragonflies (J. Kim, W. J. Dally, S. Scott and D. Abts,
/// ISCA 2008): between two cells by way of a third one, uniformly random, over all links to it that
/// shortest routes take and then over those from it to the last cell. A spine of the third cell
/// that has links to both sends on by its own; others by way of the leaves of that cell. Even
/// splits at each switch. Inside a cell, and with fewer than three cells, as
/// `append_dragonfly_plus_ecmp`, which inside a cell is a random spine. O(cells * (links + leaves *
/// spines)).
void append_dragonfly_plus_valiant(const DragonflyPlusCells& cells, int source, int destination,
                                   std::vector<LinkShare>& shares);

/// Mean number of links of these routes. O(cells).
double mean_dragonfly_plus_valiant_hops(const DragonflyPlusCells& cells, int source,
                                        int destination);

}  // namespace vtopo::detail
