#pragma once

#include <optional>
#include <vector>

#include "sim/evaluation/metrics.hpp"
#include "sim/draw/cell_picture.hpp"

namespace vtopo::detail {

/// Whether a picture is about a link, by its id; empty: about all of them.
using LinkSet = std::vector<bool>;

/// Loads of all links of a network in at most some ten thousand cells, whatever its size: by the
/// network's layout routers in planes or pairs of groups, else links in the order of their kinds
/// and ids. A cell is the heaviest of its links, in seconds (bytes / bandwidth).
/// @param only links or, by groups, their groups; of routers in planes all are shown.
CellPicture link_cells(const Network& network, const Metrics& metrics, const LinkSet& only = {});

/// Routers in planes of the first two axes, each with the links that leave it; in large ones
/// squares of routers. Nothing for more than 1,024 planes. Internal to this room.
std::optional<CellPicture> plane_cells(const Network& network, const PlaneLayout& layout,
                                       const Metrics& metrics);

/// Row: from which group; column: to which; on the diagonal links between routers of a
/// group; cables of hosts are left out. Internal.
CellPicture group_cells(const Network& network, const GroupLayout& layout, const Metrics& metrics,
                        const LinkSet& only);

/// A panel per kind of links (level and direction of a fat tree, ...), links in the order of their
/// ids, equally many in each cell. Internal.
CellPicture strip_cells(const Network& network, const Metrics& metrics, const LinkSet& only);

}  // namespace vtopo::detail
