#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

/// How far away a partner is, one entry per dimension of the grid.
using GridOffset = std::vector<int>;

/// Which entry of a list of volumes an offset takes.
enum class VolumeClass {
  dimension,  ///< the dimension that the offset lies in: every offset lies in one
  corner      ///< the number of dimensions it leaves: faces first, then edges, then corners
};

/// Grid whose ranks all send to the same relative positions. Row-major ranks as in Cartesian;
/// offsets that lead out of an open dimension have no edge, periodic ones wrap. Two offsets that
/// meet in one rank (a periodic dimension of size 2) are two edges, an offset that leads back is a
/// self loop: as in the neighbourhood collectives of a Cartesian grid.
struct Stencil {
  Cartesian grid;                                     ///< gives the ranks their coordinates
  std::vector<GridOffset> offsets;                    ///< in the order in which a rank sends
  VolumeClass volume_class = VolumeClass::dimension;  ///< how volumes are assigned to offsets
  bool is_grid = false;  ///< the edges are those of the grid: nearest neighbours alone
};

/// Stencil of a specification `stencil:SIZES:NAME`, sizes as in `cart:` (p behind a size:
/// periodic); nothing if the kind is another one. Names:
/// - `neumann`: -1 and +1 in every dimension, the edges of `cart:` in the same order;
/// - `moore`: all 3^d-1 positions of the box around, in lexicographic order;
/// - `component`: -1 and +1 in dimension 0;
/// - `hops`: `neumann`, then -2, +2, -3 and +3 in dimension 0 ("nearest neighbour with hops").
/// `neumann`, `component` and `hops` are those of S. Hunold et al., "Efficient Process-to-Node
/// Mapping Algorithms for Stencil Computations" (CLUSTER 2020).
/// @throws UsageError for malformed sizes, an unknown name or more than 10 dimensions of `moore`.
std::optional<Stencil> parse_stencil(std::string_view spec);

/// Directed edges at most: as if every dimension were periodic.
double max_edges(const Stencil& stencil);

/// Traffic of one exchange.
/// @param volume bytes per directed edge: one entry for all or one per dimension; of `moore`, whose
/// neighbours are diagonal too, entry k is of offsets that leave k+1 dimensions (27 points: faces,
/// edges, corners).
/// @throws UsageError if the number of volumes is neither 1 nor the number of dimensions.
CommGraph make_comm_graph(const Stencil& stencil, std::span<const Bytes> volume);

/// Directed edges that a distributed graph may list: more would not fit into memory.
inline constexpr double max_listed_edges = 50e6;

/// The same edges as a distributed graph without weights.
/// @throws UsageError for a stencil of more than `max_listed_edges` edges.
DistGraph make_dist_graph(const Stencil& stencil);

/// Random geometric graph: points drawn uniformly in the unit square, joined where they are close
/// (E. N. Gilbert, "Random Plane Networks", 1961). Stands for an irregular mesh whose ranks are
/// numbered at random.
struct RandomGeometric {
  int num_ranks = 0;       ///< points, each a rank
  int degree = 8;          ///< partners of a rank far from the border, on average
  std::uint64_t seed = 1;  ///< of positions and volumes
};

/// Graph of a specification `rgg:RANKS:DEGREE:SEED`, such as `rgg:4096:8:1`; nothing if the kind is
/// another one.
/// @throws UsageError for numbers outside 1..16777216 (ranks), 1..1000 (degree), 0.. (seed).
std::optional<RandomGeometric> parse_random_geometric(std::string_view spec);

/// Directed edges to expect.
double max_edges(const RandomGeometric& graph);

/// Traffic of one exchange: both ends of an edge send the same volume, drawn from 1, 2, ... 10
/// times `unit`. Edges of a rank by destination, ascending. Equal seeds give equal graphs on every
/// machine: positions are whole numbers.
CommGraph make_comm_graph(const RandomGeometric& graph, Bytes unit);

/// What the ranks along one axis of a parallel program exchange, by the ring algorithm where they
/// reduce or gather.
enum class AxisExchange {
  allreduce,       ///< volume: the vector of a rank
  allgather,       ///< volume: what each rank contributes
  reduce_scatter,  ///< volume: what each rank gets
  alltoall,        ///< volume: what each rank sends to each other one
  ring,            ///< volume: what each rank sends to the next one, the last to the first
  p2p,             ///< volume: what each rank sends to the next and to the one before
  none
};

/// One way in which a program is parallel: `tp`, `cp`, `ep`, `dp`, `pp` or any other name.
struct ParallelAxis {
  std::string name;                                 ///< without the `axis.` of specifications
  int size = 1;                                     ///< ranks along it, >= 1
  AxisExchange exchange = AxisExchange::allreduce;  ///< among them
  std::optional<Bytes> volume;                      ///< absent: as in the call of `make_comm_graph`
  Bytes wrap = {};  ///< of `p2p`: what the last one sends to the first, and back
};

/// A program that is parallel in several ways at once, such as the training of a language model.
/// Its ranks form a grid with a dimension per axis; the ranks that differ along one axis only are a
/// communicator of MPI_Cart_sub.
struct ParallelProgram {
  /// In the order of rank numbers: the first one varies fastest, as in Megatron's order.
  std::vector<ParallelAxis> axes;
  Cartesian grid;  ///< dimension d is axis number of axes - 1 - d: the last one varies fastest
  std::vector<std::string> assumptions = {};  ///< what a model took by default, a sentence each
};

/// Program of a specification `parallel:AXIS=SIZE[:EXCHANGE[:BYTES]],...`, such as
/// `parallel:tp=8,cp=2:ring:4MiB,dp=16,pp=4`; nothing if the kind is another one. Axes `tp` and
/// `dp` exchange by `allreduce`, `cp` by `ring`, `ep` by `alltoall`, `pp` by `p2p`, others, spelled
/// `axis.NAME=SIZE`, by `allreduce` if nothing is said. Further keys: `order=tp-dp-pp` numbers
/// ranks in another order than that of the axes in the list; `layers=`, `hidden=`, `sequence=`,
/// `micro_batches=` (all four), other numbers of a model, or `model=llama-3-70b` give the volumes
/// of the five axes by the formulas of the README of this folder.
/// @throws UsageError for what is malformed, with what is accepted.
std::optional<ParallelProgram> parse_parallel_program(std::string_view spec);

/// Whether `model=` takes a name: that of a published model.
bool is_model_name(std::string_view name);

/// Whether `axis.NAME=`, `order=` and `sub=` take a name: a letter, then letters, digits and `_`.
bool is_axis_name(std::string_view name);

/// `tp-cp-dp`: names of the axes, the one that varies fastest first.
std::string axis_order(const ParallelProgram& program);

/// Directed edges.
double max_edges(const ParallelProgram& program);

/// Traffic of all axes at once.
/// @param volume of the axes that have none: one for all, or one per axis in the order of
/// `ParallelProgram::axes`.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const ParallelProgram& program, std::span<const Bytes> volume);

/// A virtual topology before its edges are listed: it may have more than fit anywhere.
struct GuestTopology {
  /// The topology before any shuffling.
  std::variant<VirtualTopology, Stencil, RandomGeometric, ParallelProgram> kind;
  std::optional<std::uint64_t> shuffle_seed;  ///< absent: ranks are numbered as the kind has them
};

/// Guest of a specification: all that `parse_virtual_topology` reads, without listing edges, and
/// `shuffle:SEED:SPEC`, the topology SPEC with its ranks renumbered at random: what an application
/// hands over that numbered its ranks without regard to the grid.
/// @throws UsageError for a malformed specification, InputError for a malformed file.
GuestTopology parse_guest_topology(std::string_view spec);

int num_ranks(const GuestTopology& topology);

/// The grid that ranks are numbered by; null if there is none, as in shuffled topologies.
const Cartesian* grid_of(const GuestTopology& topology);

/// The same of the topology before any shuffling.
const Cartesian* grid_inside(const GuestTopology& topology);

/// Directed edges that the topology will have, at most; 0 for graphs, which are in memory already.
double max_edges(const GuestTopology& topology);

/// Traffic of one exchange.
/// @param volume as for the kind: one entry for all, or one per dimension of a grid.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const GuestTopology& topology, std::span<const Bytes> volume);

/// The graph with rank r renamed to the r-th number of a random permutation. Edges of a rank keep
/// their order.
CommGraph shuffled(const CommGraph& graph, std::uint64_t seed);

/// The same edges as a distributed graph; weights are volumes in bytes.
/// @throws UsageError for more than 50 million edges, which would not fit into memory.
DistGraph make_dist_graph(const GuestTopology& topology);

}  // namespace vtopo
