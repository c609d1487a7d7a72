#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "topology/base/compressed_rows.hpp"
#include "topology/base/ids.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// Whether a dimension wraps around (MPI: the flag in `periods`).
enum class Periodicity : bool { open = false, periodic = true };

/// One dimension of a Cartesian grid: its size (>= 1) and whether it wraps.
struct Dimension {
  int size = 1;                                 ///< number of coordinates, >= 1
  Periodicity periodicity = Periodicity::open;  ///< whether it wraps around

  /// Whether it wraps around.
  bool periodic() const { return periodicity == Periodicity::periodic; }

  friend bool operator==(const Dimension&, const Dimension&) = default;  ///< memberwise
};

/// Result of a shift; no value stands for MPI_PROC_NULL.
struct ShiftRanks {
  std::optional<Rank> source;       ///< whom the rank receives from
  std::optional<Rank> destination;  ///< whom the rank sends to

  friend bool operator==(const ShiftRanks&, const ShiftRanks&) = default;  ///< memberwise
};

/// Where a rank of a grid stands after the grid is cut into subgrids.
struct SubgridPlace {
  int subgrid = 0;  ///< row-major number of the coordinates in the dropped dimensions
  Rank rank{};      ///< row-major number of the coordinates in the remaining dimensions

  friend bool operator==(const SubgridPlace&, const SubgridPlace&) = default;  ///< memberwise
};

/// Cartesian virtual topology (MPI_Cart_create). Ranks are row-major: the last dimension is the
/// fastest. A grid of zero dimensions has one rank. No member needs memory per rank.
class Cartesian {
 public:
  /// @throws MpiError (MPI_ERR_DIMS) if a size is < 1 or the product exceeds 2^31-1.
  explicit Cartesian(std::vector<Dimension> dimensions);

  int num_ranks() const { return num_ranks_; }  ///< product of the sizes
  /// Size and periodicity of each dimension; the last one varies fastest.
  std::span<const Dimension> dimensions() const { return dimensions_; }

  /// Ranks between neighbours along each dimension: the product of the later sizes.
  std::span<const int> strides() const { return strides_; }

  /// Coordinates of `rank`, one per dimension (MPI_Cart_coords).
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid.
  std::vector<int> coords(Rank rank) const;

  /// The same into storage of the caller, for loops.
  /// @param coords one entry per dimension.
  /// @throws MpiError (MPI_ERR_RANK) as above, (MPI_ERR_ARG) for another number of entries.
  void coords(Rank rank, std::span<int> coords) const;

  /// Rank at `coords`; periodic coordinates wrap (MPI_Cart_rank). Zero dimensions give rank 0.
  /// @throws MpiError (MPI_ERR_ARG) for a wrong number of coordinates or one outside an open
  /// dimension.
  Rank rank(std::span<const int> coords) const;

  /// Whom `rank` receives from and sends to when everybody shifts by `displacement` along
  /// `dimension` (MPI_Cart_shift); end-off in open dimensions, circular in periodic ones.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid, (MPI_ERR_DIMS) if the
  /// dimension is, (MPI_ERR_TOPOLOGY) if the grid has no dimension.
  ShiftRanks shift(Rank rank, int dimension, int displacement) const;

  /// The subgrid of the dimensions that remain (MPI_Cart_sub): all subgrids have this form.
  /// @param remain_dims one per dimension: true keeps it.
  /// @throws MpiError (MPI_ERR_DIMS) for a wrong number of entries.
  Cartesian sub(const std::vector<bool>& remain_dims) const;

  /// Which subgrid `rank` falls into, and its rank there (MPI_Cart_sub).
  /// @throws MpiError (MPI_ERR_DIMS) for a wrong number of entries, (MPI_ERR_RANK) if the rank is
  /// outside the grid.
  SubgridPlace sub_place(const std::vector<bool>& remain_dims, Rank rank) const;

  /// Equal if sizes and periodicities are.
  friend bool operator==(const Cartesian&, const Cartesian&) = default;

 private:
  std::optional<Rank> moved(Rank rank, int dimension, std::int64_t displacement) const;
  void check(Rank rank) const;
  void check(const std::vector<bool>& remain_dims) const;

  std::vector<Dimension> dimensions_;
  std::vector<int> strides_;
  int num_ranks_ = 1;
};

/// Grid of `8x8p` (p behind a size: periodic); first dimension first.
/// @param whole the specification that the sizes are part of, for messages.
/// @throws UsageError for a malformed size or more than 2^31-1 ranks.
Cartesian parse_grid(std::string_view sizes, std::string_view whole);

/// Checks the array `index` of MPI_Graph_create alone, before anything is read from `edges`.
/// @throws MpiError (MPI_ERR_ARG) if it descends or starts below 0.
void check_index(std::span<const int> index);

/// Graph virtual topology (MPI_Graph_create): per rank its neighbours in order; the adjacency may
/// be asymmetric and may hold self loops and multiple edges.
class Graph {
 public:
  /// @param neighbours one list per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a neighbour is outside [0, number of lists), (MPI_ERR_ARG)
  /// if there are more than 2^31-1 edges.
  explicit Graph(const std::vector<std::vector<Rank>>& neighbours);

  /// The arrays of MPI_Graph_create: `index[r]` counts the neighbours of ranks 0..r, `edges` lists
  /// the neighbours of rank 0, of rank 1, and so on.
  /// @throws MpiError (MPI_ERR_ARG) if the index descends or does not end with the number of edges,
  /// (MPI_ERR_RANK) if an edge is outside [0, number of ranks).
  Graph(std::span<const int> index, std::span<const Rank> edges);

  /// Number of ranks, those without neighbours included.
  int num_ranks() const { return static_cast<int>(neighbours_.num_rows()); }
  /// Number of neighbours, summed over all ranks.
  int num_edges() const { return static_cast<int>(neighbours_.num_entries()); }

  /// Neighbours of `rank` in the order of creation (MPI_Graph_neighbors).
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const Rank> neighbours(Rank rank) const;

  /// Neighbours of all ranks, ranks ascending: the array `edges` of MPI_Graph_get.
  std::span<const Rank> edges() const { return neighbours_.entries(); }

  /// The array `index` of MPI_Graph_get: number of neighbours of ranks 0..r for each rank r.
  std::vector<int> index() const;

 private:
  CompressedRows<Rank> neighbours_;
};

/// Whether the edges of a distributed graph were given with weights or with MPI_UNWEIGHTED.
enum class Weighting : bool { unweighted = false, weighted = true };

/// Hints of an MPI_Info: keys and values; empty stands for MPI_INFO_NULL. vtopo keeps them for the
/// reorderer and reads none itself.
using Info = std::map<std::string, std::string>;

/// Weights of a list of edges, one per edge: absent stands for MPI_UNWEIGHTED, empty for
/// MPI_WEIGHTS_EMPTY (a weighted graph to which this process gives no edge).
using Weights = std::optional<std::vector<double>>;

/// One edge of a distributed graph; `weight` is 1 for an unweighted graph.
struct WeightedEdge {
  Rank source{};       ///< rank that sends
  Rank destination{};  ///< rank that receives
  double weight = 1;   ///< finite and >= 0
};

/// What one process passes to MPI_Dist_graph_create_adjacent: the edges that it is an end of.
struct AdjacentEdges {
  std::vector<Rank> sources;       ///< of the edges into this process
  Weights source_weights;          ///< of the edges from `sources`
  std::vector<Rank> destinations;  ///< of the edges out of it
  Weights destination_weights;     ///< of the edges to `destinations`
  Info info{};                     ///< equal on all processes
};

/// What one process passes to MPI_Dist_graph_create: edges between any ranks. The first
/// `degrees[0]` destinations belong to `sources[0]`, the next `degrees[1]` to `sources[1]`, and so
/// on.
struct EdgeContribution {
  std::vector<Rank> sources;       ///< any ranks of the communicator
  std::vector<int> degrees;        ///< one per source
  std::vector<Rank> destinations;  ///< as many as the sum of `degrees`
  Weights weights;                 ///< one per destination
  Info info{};                     ///< equal on all processes
};

/// The other end of an edge; `weight` is 1 for an unweighted graph.
struct WeightedNeighbour {
  Rank rank{};        ///< its rank
  double weight = 1;  ///< finite and >= 0

  /// Equal if rank and weight are.
  friend bool operator==(const WeightedNeighbour&, const WeightedNeighbour&) = default;
};

/// Distributed graph virtual topology (MPI_Dist_graph_create and MPI_Dist_graph_create_adjacent):
/// per rank its sources and its destinations in order, with weights; multiple edges and self loops
/// are kept.
class DistGraph {
 public:
  /// Edges in any order; each rank has its sources and its destinations in the order of `edges`.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, num_ranks), (MPI_ERR_ARG) if a weight
  /// is negative or not finite.
  DistGraph(int num_ranks, std::span<const WeightedEdge> edges,
            Weighting weighting = Weighting::weighted, Info info = {});

  /// Each rank has its sources and its destinations in the order of its own lists, as MPI-5.0
  /// requires
  /// ("Topology Inquiry Functions").
  /// @param by_rank one entry per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, number of entries), (MPI_ERR_ARG) if
  /// weights are negative, too few, too many or not given by all, or if the two ends of an edge do
  /// not give it equally often with equal weights, (MPI_ERR_INFO) if the info differs between
  /// ranks.
  explicit DistGraph(std::span<const AdjacentEdges> by_rank);

  /// Edges given by any rank for any rank; each rank has its sources and its destinations in the
  /// order of the ranks that gave them, and of each one's lists.
  /// @param by_rank one entry per rank.
  /// @throws MpiError (MPI_ERR_RANK) if a rank is outside [0, number of entries), (MPI_ERR_ARG) if
  /// degrees or weights are negative, too few, too many or not given by all, (MPI_ERR_INFO) if the
  /// info differs between ranks.
  explicit DistGraph(std::span<const EdgeContribution> by_rank);

  /// Number of ranks, those without edges included.
  int num_ranks() const { return static_cast<int>(destinations_.num_rows()); }
  /// Number of directed edges; each of several parallel ones counts.
  std::size_t num_edges() const { return destinations_.num_entries(); }
  Weighting weighting() const { return weighting_; }  ///< whether weights were given
  const Info& info() const { return info_; }          ///< hints of the creation call

  /// Edges into `rank`, each with the rank that it comes from.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const WeightedNeighbour> sources(Rank rank) const;

  /// Edges out of `rank`, each with the rank that it goes to.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
  std::span<const WeightedNeighbour> destinations(Rank rank) const;

 private:
  CompressedRows<WeightedNeighbour> sources_;
  CompressedRows<WeightedNeighbour> destinations_;
  Weighting weighting_;
  Info info_;
};

/// Whom a rank receives from and sends to in MPI neighbourhood collectives, in the order of their
/// buffers; no value stands for MPI_PROC_NULL, whose place in the buffer stays untouched.
struct Neighbourhood {
  std::vector<std::optional<Rank>> sources;       ///< in the order of the receive buffer
  std::vector<std::optional<Rank>> destinations;  ///< in the order of the send buffer

  friend bool operator==(const Neighbourhood&, const Neighbourhood&) = default;  ///< memberwise
};

/// Cartesian: per dimension first the negative, then the positive direction, for sources and
/// destinations alike; no value where an open grid ends. Periodic dimensions of size 1 give the
/// rank itself twice, of size 2 the other rank twice. What is sent in one direction arrives in the
/// place of the opposite direction.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid.
Neighbourhood neighbourhood(const Cartesian& grid, Rank rank);

/// Graph: the neighbours in the order of creation, for sources and destinations alike.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
Neighbourhood neighbourhood(const Graph& graph, Rank rank);

/// Distributed graph: its sources and its destinations as `sources` and `destinations` give them.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the graph.
Neighbourhood neighbourhood(const DistGraph& graph, Rank rank);

// Traffic of one neighbourhood exchange: each rank sends to its destinations in that order.

/// Halo exchange of a grid.
/// @param volume bytes per directed edge, one entry for all dimensions or one per dimension.
/// @throws MpiError (MPI_ERR_DIMS) if the number of volumes is neither 1 nor the number of
/// dimensions.
CommGraph make_comm_graph(const Cartesian& grid, std::span<const Bytes> volume);

/// Every rank sends `volume` bytes to each of its neighbours.
CommGraph make_comm_graph(const Graph& graph, Bytes volume);

/// Every edge carries its weight times `volume` bytes.
CommGraph make_comm_graph(const DistGraph& graph, Bytes volume);

/// Any of the three kinds of MPI process topology.
using VirtualTopology = std::variant<Cartesian, Graph, DistGraph>;

/// Number of ranks that the topology is over.
int num_ranks(const VirtualTopology& topology);

/// Neighbourhood of `rank` in a topology of any kind.
/// @throws MpiError (MPI_ERR_RANK) if the rank is outside the topology.
Neighbourhood neighbourhood(const VirtualTopology& topology, Rank rank);

/// Virtual topology of a specification: `cart:8x8x8` (open), `cart:8px8p` (p: periodic),
/// `hypercube:12`, `graph:FILE`, `dist:FILE`, `stencil:8x8:moore` (see Stencil; `neumann` is a
/// grid, the others are distributed graphs), `rgg:64:8:1` (see RandomGeometric) and
/// `shuffle:1:cart:8x8` (see GuestTopology; both distributed graphs with weights).
/// @throws UsageError for a malformed specification, InputError for a malformed file.
VirtualTopology parse_virtual_topology(std::string_view spec);

/// Traffic of one neighbourhood exchange over the topology.
/// @param volume bytes per directed edge; one entry, or one per dimension of a Cartesian grid.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const VirtualTopology& topology, std::span<const Bytes> volume);

}  // namespace vtopo
