#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// How the positions along an axis are joined: neighbours only, neighbours and both ends, or all
/// pairs.
enum class AxisKind { path, ring, complete };

/// One axis of a grid of routers.
struct NetworkAxis {
  int size = 1;                    ///< positions along it, >= 1
  AxisKind kind = AxisKind::ring;  ///< how its positions are joined

  friend bool operator==(const NetworkAxis&, const NetworkAxis&) = default;  ///< memberwise
};

/// Routers that form a grid, and the hosts at them. The first axis is the fastest:
/// router = x0 + size0 * (x1 + size1 * ...), host = router * hosts_per_router + k.
struct HostCoordinates {
  std::vector<NetworkAxis> axes;  ///< the first one varies fastest
  int hosts_per_router = 1;       ///< numbered one after the other
};

/// One level of nested groups of hosts, such as those of a switch, chassis or pod. Hosts
/// k * hosts .. (k+1) * hosts - 1 are group k, and each group consists of whole groups of the level
/// below.
struct HostGroups {
  std::int64_t hosts = 1;  ///< in each group
  int hops = 0;            ///< about, between hosts of a group that share none of a level below
};

/// Hosts that stand at one place: hosts k * hosts_per_site to (k + 1) * hosts_per_site - 1 are as
/// far from every other host, and all as far from each other.
struct HostSites {
  int hosts_per_site = 1;  ///< numbered one after the other
  /// Symmetry of the distances between sites, the first axis the fastest: they stay the same if all
  /// sites are turned along a ring, reflected along a path, or permuted along a complete axis.
  /// None: no symmetry is known.
  std::vector<NetworkAxis> axes;
  bool same_back = true;         ///< hops from one site to another are those of the way back
  int lookups_per_distance = 1;  ///< routes that `Network::hops` compares
};

/// Hops between hosts of a grid: what each axis adds (the difference of coordinates on a path, the
/// shorter way around on a ring, 1 on a complete axis), and `host_hops` between different hosts.
struct GridMetric {
  HostCoordinates grid;  ///< axes and hosts per router
  int host_hops = 0;     ///< added between different hosts: the links of hosts to their routers
};

/// Hops between hosts of a tree: exactly those of the smallest group that both are in. The last
/// level is the whole network.
struct TreeMetric {
  std::vector<HostGroups> levels;  ///< smallest groups first
};

/// Hops depend on the routers of both hosts only, are the same in both directions and at most 255.
/// Hosts of router r are r * hosts_per_router + k.
struct RouterMetric {
  int hosts_per_router = 1;  ///< numbered one after the other
};

/// The rule by which `Network::hops` follows from the numbers of both hosts, for readers that ask
/// millions of times in a second: each has such a rule in a form that compilers inline. Nothing
/// where no rule gives all hops exactly.
using HopMetric = std::variant<std::monostate, GridMetric, TreeMetric, RouterMetric>;

/// Every host in one of several parts.
struct HostPartition {
  int count = 0;             ///< parts are 0..count-1
  std::vector<int> part_of;  ///< one entry per host
};

/// Host h in part h / stride % count.
inline HostPartition equal_parts(int hosts, std::int64_t stride, int count) {
  HostPartition partition{count, std::vector<int>(static_cast<std::size_t>(hosts))};
  for (std::size_t h = 0; h < partition.part_of.size(); ++h)
    partition.part_of[h] = static_cast<int>(static_cast<std::int64_t>(h) / stride % count);
  return partition;
}

/// Named parts of a machine, as `--hosts` selects them: `leaf:0-3`, `plane:1=0,2`.
struct HostParts {
  std::string name;    ///< of one: `leaf`
  std::string plural;  ///< `leaves`
  /// One; or one per dimension, which the selection then names first.
  std::vector<HostPartition> partitions;
  bool by_dimension = false;  ///< whether there is one partition per dimension
};

/// Cells of hosts, routers and switches: what traffic between them has to pass are the links
/// between cells, of which there are few. Only where routes are walks along links from host to
/// host.
struct VertexCells {
  std::string name;  ///< as bounds report it: `groups`, `planes of dimension 0`
  int count = 0;     ///< cells are 0..count-1
  /// One entry per vertex, hosts first; -1, and vertices beyond the end: outside of all cells.
  std::vector<int> cell_of;
  /// What is cut off: with `path` and `ring` runs of cells, and then links join neighbouring cells
  /// only and no cell is -1; with `complete` single cells, whatever links there are.
  AxisKind joined = AxisKind::complete;
  /// Hops that a flow makes per cell whose boundary it crosses, with `path` and `ring` per two
  /// neighbouring cells. Over all families of a network no link may count for more than its hops.
  double hops = 0;

  /// Cell of a vertex; -1 outside of all cells.
  int of(int vertex) const {
    return vertex < static_cast<int>(cell_of.size()) ? cell_of[static_cast<std::size_t>(vertex)]
                                                     : -1;
  }
};

/// Least bandwidth that joins any two halves of the hosts (of an odd number one half has one more).
struct Bisection {
  BytesPerSecond bandwidth;  ///< per direction; the smaller one where they differ
  std::int64_t links = 0;    ///< directed links from one half to the other
  bool exact = false;        ///< a closed form; else an upper bound found by search
  std::string method;        ///< the formula with its source, or the search
};

/// A network as SimGrid's `<cluster topology="..." topo_parameters="...">`.
struct SimgridCluster {
  std::string topology;    ///< `TORUS`, `FAT_TREE`, `DRAGONFLY`
  std::string parameters;  ///< `topo_parameters` as SimGrid reads them
  /// Why the cluster has other links or routes than the network; empty: it has the same.
  std::string difference = {};
  /// What SimGrid 3.32 does not survive to build, as `a torus of ...`; empty: nothing.
  std::string fatal = {};
};

/// The cluster of a network whose specification has numbers and separators alone, which SimGrid
/// writes the same; nothing with keys or words, which it does not have. `8x8` becomes `8,8`.
std::optional<SimgridCluster> plain_cluster(std::string_view topology, std::string_view spec);

}  // namespace vtopo
