#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/models/dragonfly_plus/cells.hpp"
#include "netmodels/models/host_runs.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// What the key `cells` lists.
HostRuns dragonfly_plus_runs(const DragonflyPlusSpec& spec);

/// Specification that gives the same network again.
std::string dragonfly_plus_description(const DragonflyPlusSpec& spec);

/// Leaves and cells as nested groups; none where they are not equal.
std::vector<HostGroups> dragonfly_plus_groups(const DragonflyPlusSpec& spec, int hosts);

/// Most hosts that divide the number at every leaf: they are as far from all others.
int dragonfly_plus_site(const DragonflyPlusCells& cells);

/// Most links between any two hosts.
int dragonfly_plus_diameter(const DragonflyPlusCells& cells);

/// `leaf` and `cell`, numbered through the network.
std::vector<HostParts> dragonfly_plus_parts(const DragonflyPlusCells& cells);

/// Hosts, leaves and cells, those with hosts. A flow takes the cables of both hosts, a link of each
/// of two leaves, and a link that is in the cuts of two cells.
std::vector<VertexCells> dragonfly_plus_cuts(const DragonflyPlusCells& cells);

/// The most hosts of any leaf, then of any cell.
std::vector<std::int64_t> dragonfly_plus_distance_profile(const DragonflyPlusCells& cells);

/// With equal cells and an even number of hosts, the least of two cuts: the cables of half of the
/// hosts, or half of the cells from the others (of an odd number, and the cables of half a cell).
/// - If spines have as many links to each other cell and a leaf can send up all that it receives,
///   leaves set no limit, as an even spread over spines shows: then cells are single switches, and
///   the cut of k of them is k (cells - k) times their links, and the cables of the hosts that are
///   missing for a half, which is least at either end.
/// - Otherwise, for an even number of cells: let every host send f to every other one at the same
///   time. A cut with m of n hosts below switches on one side carries m (n - m) f at least, and
///   n/2 - m cables, which is concave in m too. If links between cells are the first that this
///   fills, half of the cells have no more than that.
/// @param rates of the links of hosts, leaves and cells.
std::optional<Bisection> dragonfly_plus_bisection(const DragonflyPlusSpec& spec,
                                                  const std::vector<LinkProperties>& rates);

/// Cells on a circle, leaves below their spines; nothing where cells are not equal.
std::optional<NetworkLayout> dragonfly_plus_picture(const DragonflyPlusSpec& spec,
                                                    const DragonflyPlusCells& cells);

}  // namespace vtopo::detail
