#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "netmodels/routing.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

class Network;

/// Vertices that a link leads from and to: hosts are 0..num_hosts-1, routers and switches follow.
struct LinkEnds {
  int from = 0;  ///< vertex that traffic comes from
  int to = 0;    ///< vertex that traffic goes to
};

/// Links of one kind: a dimension of a torus, a level of a fat tree, a colour of a dragonfly.
struct LinkClass {
  std::string name;          ///< human-readable
  std::int64_t links = 0;    ///< number of directed links
  BytesPerSecond bandwidth;  ///< of each link
  Seconds latency;           ///< of each link
};

/// Where launchers find a host.
struct HostPlace {
  std::string node;         ///< name of the machine
  std::optional<int> core;  ///< place inside it, if it has several, each a host by itself
};

/// What one host sends to another.
struct HostFlow {
  HostId source{};       ///< host that sends
  HostId destination{};  ///< host that receives, another one
  Bytes volume;          ///< bytes, >= 0
};

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

  /// What was asked of the network last: tables for the same hosts share it.
  struct Known {
    std::mutex mutex;                            ///< of the others
    const Network* network = nullptr;            ///< that was asked
    std::vector<HostId> hosts;                   ///< of which one table was made
    std::shared_ptr<const std::uint8_t[]> hops;  ///< row by row
  };
  std::shared_ptr<Known> known = std::make_shared<Known>();  ///< of all copies; never null
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

/// Name of each host, in the order of their ids; null: they are numbered.
using HostNameList = std::shared_ptr<const std::vector<std::string>>;

/// Names of hosts in the order of their ids: a list as Slurm writes it, `rack[1-2]n[00-15]`. Null
/// for an empty text.
/// @throws UsageError with what is accepted.
HostNameList listed_host_names(const std::string& list);

/// In front of a file that says where nodes stand: `map:nodes.txt`.
inline constexpr std::string_view node_map_prefix = "map:";

/// The same, `file:FILE` with a name per line, or `map:FILE` with the places of nodes in the
/// machine (xnames of HPE Cray EX, topology files of Slurm): names in the order of these places.
/// @throws UsageError, or InputError with file, line and column.
HostNameList parse_host_names(const std::string& text);

/// What the links of a modelled network can carry and how its hosts are called.
struct NetworkDefaults {
  BytesPerSecond bandwidth{10e9};     ///< per direction
  Seconds latency{100e-9};            ///< per link
  std::string host_prefix = "host-";  ///< in front of the number of a host
  std::string host_suffix = "";       ///< behind the number of a host
  int first_host_number = 0;     ///< host h is called prefix + (first_host_number + h) + suffix
  HostNameList host_names = {};  ///< instead of these three; as many as the network has hosts
};

/// What one class of links can carry; the network's defaults where nothing is given.
struct LinkRates {
  std::optional<BytesPerSecond> bandwidth;  ///< per direction
  std::optional<Seconds> latency;           ///< per link
};

/// Planes that flows take in a network with several: parts that share no switch, to each of which
/// every host has cables.
struct FlowPlanes {
  int out = 0;               ///< in which they leave their sources
  int in = 0;                ///< in which they arrive
  bool joined_tops = false;  ///< the top switches join all planes; else `in` is `out`
};

/// Planes that a network consists of.
struct NetworkPlanes {
  int count = 1;                        ///< at least 1
  std::function<int(LinkId)> plane_of;  ///< plane of a link
  /// The same hosts and links with flows that keep to planes.
  std::function<std::shared_ptr<const Network>(const FlowPlanes&)> in_planes;
};

/// What a network knows of itself beyond its routes, as plain data, so that no reader has to know
/// which network it is: a model fills it, a decorator changes what is different. Functions compute
/// what takes time or memory when it is asked for; they hold as long as the network does, and where
/// one is empty nothing is known. `Network` has a reader of the same name for every entry.
struct NetworkFacts {
  int num_hosts = 0;  ///< hosts are 0..num_hosts-1
  int num_links = 0;  ///< directed ones; a cable that carries both ways apart is two of them
  std::string
      description;  ///< one line that names it: a canonical specification or a platform file
  /// What the description leaves out, if it is a specification that makes the network again; else
  /// null. Lives as long as the network.
  const NetworkDefaults* description_defaults = nullptr;

  Routing routing = Routing::simgrid;  ///< rule that made the routes
  /// Whether a flow may split over several routes: then `append_shares` says what happens, and
  /// `append_route` gives one of its routes.
  bool splits_flows = false;
  bool computes_runs = false;  ///< `append_runs` is as fast as reading routes that have been stored
  /// Routes lead through hosts although no link joins two of them: hosts are routers too.
  bool routes_pass_hosts = false;
  /// Of the network distances alone are known: its links stand for pairs of hosts, and their loads
  /// say nothing.
  bool distances_only = false;
  /// Cables of each host to switches, of which a flow takes one unless flows split.
  int cables_per_host = 1;
  std::vector<std::string> assumptions;  ///< what the routes leave out, a sentence each
  /// Hosts that are down: they take no ranks and may have no routes. Those beyond the end are up.
  std::vector<bool> down_hosts;
  /// Links that are down: no route uses them, though `link` says what they are when they work.
  std::vector<bool> down_links;

  /// Where hosts stand, if their routers form a grid. Positions only: with failed links routes may
  /// be longer than the coordinates say.
  std::optional<HostCoordinates> coordinates;
  /// Nested groups of hosts, smallest first, the last is the whole network; none where the hosts
  /// form a grid or nothing is known. With failed links routes may be longer than the groups say.
  std::vector<HostGroups> hierarchy;
  HopMetric hop_metric;  ///< rule behind `hops`, if there is one: for all hosts that are up
  /// Hosts at one place and the symmetry of the distances between such places, if `hops` has them.
  std::optional<HostSites> sites;
  std::optional<NetworkLayout> layout;  ///< for pictures; nothing: as a general graph
  /// The cluster of SimGrid that this network is, or nearly is; nothing if there is none.
  std::optional<SimgridCluster> simgrid_cluster;
  /// Kinds of links, in the order of link ids; none: all links are of the kind of the first.
  std::vector<LinkClass> link_classes;
  NetworkPlanes planes;  ///< that the network consists of

  std::function<int(LinkId)> link_class;  ///< position in `link_classes`; empty: 0
  /// Vertices that a link lies between, also of one that carries traffic both ways and so has no
  /// ends; a cut between them holds the link. Empty: those of `link_ends`.
  std::function<std::optional<LinkEnds>(LinkId)> link_sides;
  /// The machine that a host is, or is a part of: hosts of one machine are numbered one after the
  /// other. Empty: each host is a machine.
  std::function<HostPlace(HostId)> host_place;
  /// Sum of the bandwidths of all links by which traffic can leave a host.
  std::function<BytesPerSecond(HostId)> injection_bandwidth;
  /// Latency of a flow that belongs to no link, on top of those of its route: the distance of the
  /// coordinates in SimGrid's Vivaldi zones. A route without links is a route if it has any.
  std::function<Seconds(HostId, HostId)> flow_latency;
  std::function<int()> diameter;  ///< most hops between any two hosts
  /// Named parts of the machine, such as leaf switches or groups.
  std::function<std::vector<HostParts>()> parts;
  /// Cuts that few links cross, as cells between which they lie, for lower bounds of hops and
  /// loads. None where nothing is known beyond what every host can send, or where routes are not
  /// walks along the links. What a cut can carry are its links that are up.
  std::function<std::vector<VertexCells>()> cuts;
  /// Entry h: hosts at h hops from a host that has the most of them near, itself included: no host
  /// has more than the sum of the first entries within as many hops, whichever links are down. May
  /// end where it has more hosts than the count that it gets.
  std::function<std::vector<std::int64_t>(std::int64_t)> distance_profile;
  /// Bisection by a formula that is known to be right for this network.
  std::function<std::optional<Bisection>()> bisection;
  /// The network as a traffic meets it, where routes follow from the loads of all flows
  /// (`--routing adaptive`, `ideal`): same hosts, links and hops, other shares. Without traffic,
  /// flows split over the shortest routes. Empty: routes depend on their hosts alone.
  std::function<std::shared_ptr<const Network>(std::span<const HostFlow>)> routed;
};

}  // namespace vtopo
