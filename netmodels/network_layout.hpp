#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace vtopo {

/// Numbered things side by side in a picture: `d0 = 3`, `group 3`.
struct LayoutAxis {
  std::string name;           ///< of all of them: `d0`, `group`
  int size = 1;               ///< how many there are, >= 1
  std::string joint = " = ";  ///< between name and number

  /// Name of thing `i`, counted from 0: `d0 = 3`.
  std::string label(int i) const { return name + joint + std::to_string(i); }
};

/// Vertices between the hosts and the routers, such as network interfaces, as many at each router.
struct AttachedVertices {
  int first = 0;       ///< they end where the next ones begin, or the routers
  int per_router = 1;  ///< numbered one after the other
};

/// Routers of a grid: planes of the first two axes side by side, the others count the planes. The
/// first axis is the fastest: router = x0 + size0 * (x1 + size1 * ...).
struct PlaneLayout {
  std::vector<LayoutAxis> axes;  ///< the first one varies fastest
  int first_router = 0;          ///< vertex of the first one; 0: the hosts are the routers
  int hosts_per_router = 1;      ///< host h is at router h / hosts_per_router
  std::vector<AttachedVertices> attached = {};  ///< in the order of their vertices

  /// Router that a vertex is, or is attached to, counted from 0; `vertex` as in `LinkEnds`.
  int router_of(int vertex) const {
    if (vertex >= first_router) return vertex - first_router;
    for (auto block = attached.rbegin(); block != attached.rend(); ++block)
      if (vertex >= block->first) return (vertex - block->first) / block->per_router;
    return vertex / hosts_per_router;
  }
};

/// Name of a plane: `d2 = 3, d3 = 0`; empty where there is one.
inline std::string plane_title(const PlaneLayout& layout, int plane) {
  std::string title;
  for (std::size_t a = 2; a < layout.axes.size(); ++a) {
    title += (a == 2 ? "" : ", ") + layout.axes[a].label(plane % layout.axes[a].size);
    plane /= layout.axes[a].size;
  }
  return title;
}

/// Groups of routers on a circle, each a block of rows; hosts are not drawn. The routers of a group
/// fill its rows one after the other.
struct GroupLayout {
  LayoutAxis groups;         ///< their number and names
  std::string plural;        ///< `groups`
  int rows = 1;              ///< of routers in the largest group
  int columns = 1;           ///< of routers in a group, varying fastest
  int first_router = 0;      ///< vertex of the first router
  std::string hosts;         ///< where they are: `4 at each router`
  std::string inner_cables;  ///< what is left out where the cables within a group are too many
  /// First router of each group, counted from 0, and at last their number; empty: all groups have
  /// rows * columns.
  std::vector<int> starts = {};

  /// First router of a group, and for `groups.size` the number of all.
  int start(int group) const {
    return starts.empty() ? group * rows * columns : starts[static_cast<std::size_t>(group)];
  }
  /// Group of a router counted from 0.
  int group_of(int router) const {
    if (starts.empty()) return router / (rows * columns);
    const auto next = std::upper_bound(starts.begin(), starts.end(), router);
    return static_cast<int>(next - starts.begin()) - 1;
  }
};

/// Vertices of one level, numbered after those of the level below.
struct LayoutLevel {
  std::string name;  ///< human-readable: `hosts`, `leaf switches`
  int vertices = 0;  ///< how many stand in the row
};

/// Levels as rows, hosts at the bottom.
struct LevelLayout {
  std::vector<LayoutLevel> levels;  ///< hosts first
  int hosts_per_switch = 1;         ///< below each vertex of level 1
};

/// Where a picture draws hosts, routers and switches; cables follow from the links.
using NetworkLayout = std::variant<PlaneLayout, GroupLayout, LevelLayout>;

}  // namespace vtopo
