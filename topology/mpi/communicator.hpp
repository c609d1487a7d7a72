#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

/// How two groups or communicators relate (MPI_Comm_compare): the same object; the same processes
/// in the same order; the same processes in another order; different processes.
enum class Comparison { identical, congruent, similar, unequal };

/// Ordered set of one or more processes; the place of a process in it is its rank. Consecutive
/// processes take no memory per process; copies share theirs.
class ProcessGroup {
 public:
  /// `size` processes, `first` at rank 0, each next one with the next id.
  /// @throws MpiError (MPI_ERR_GROUP) if the size is < 1 or the last id exceeds 2^31-1.
  static ProcessGroup consecutive(ProcessId first, int size);

  /// @param processes one per rank.
  /// @throws MpiError (MPI_ERR_GROUP) if there is none or one stands there twice.
  explicit ProcessGroup(std::vector<ProcessId> processes);

  int size() const { return size_; }  ///< number of processes, >= 1

  /// Process at `rank`.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the group.
  ProcessId process(Rank rank) const;

  /// Rank of `process`; none if it does not belong to the group (MPI_UNDEFINED).
  std::optional<Rank> rank_of(ProcessId process) const;

  /// The processes of ranks 0..size-1.
  /// @throws MpiError (MPI_ERR_GROUP) if the size is < 1 or larger than this group.
  ProcessGroup first(int size) const;

  /// Whether both hold the same processes in the same order.
  friend bool same_order(const ProcessGroup& a, const ProcessGroup& b);

 private:
  struct Listed;

  ProcessGroup(ProcessId first, int size) : first_(first), size_(size) {}

  ProcessId first_{};
  int size_ = 0;
  std::shared_ptr<const Listed> listed_;  ///< absent for consecutive processes
};

/// `identical` for the same processes in the same order (MPI_Group_compare), never `congruent`.
Comparison compare(const ProcessGroup& a, const ProcessGroup& b);

/// Communicator as a value: an ordered group of processes, a context of its own, and at most one
/// virtual topology over its ranks. Copies are handles of the same communicator; each construction
/// makes another one. A process that gets no communicator (MPI_COMM_NULL) gets no value.
class Communicator {
 public:
  /// New communicator.
  /// @throws MpiError (MPI_ERR_TOPOLOGY) if the topology has another number of ranks than the
  /// group.
  explicit Communicator(ProcessGroup group, std::optional<VirtualTopology> topology = std::nullopt);

  /// Its processes in the order of ranks (MPI_Comm_group).
  const ProcessGroup& group() const { return group_; }

  /// Number of processes (MPI_Comm_size).
  int size() const { return group_.size(); }

  /// Rank of a process (MPI_Comm_rank of that process); none if it does not belong here.
  std::optional<Rank> rank_of(ProcessId process) const { return group_.rank_of(process); }

  /// Process behind a rank.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside 0..size-1.
  ProcessId process(Rank rank) const { return group_.process(rank); }

  /// The virtual topology; null if there is none.
  const VirtualTopology* topology() const { return topology_.get(); }

  /// Another communicator with the same group and the same virtual topology (MPI_Comm_dup).
  Communicator dup() const;

  /// Another communicator of other processes, with the same virtual topology.
  /// @param group as many processes as this one has.
  /// @throws MpiError (MPI_ERR_TOPOLOGY) if it has more or fewer and there is a virtual topology.
  Communicator with_group(ProcessGroup group) const;

  /// Whether both are handles of the same communicator.
  bool same_context(const Communicator& other) const { return context_ == other.context_; }

 private:
  struct Context {};

  ProcessGroup group_;
  std::shared_ptr<const VirtualTopology> topology_;
  std::shared_ptr<const Context> context_;
};

/// Communicator of processes 0..size-1, each at the rank of its id (MPI_COMM_WORLD).
/// @throws MpiError (MPI_ERR_GROUP) if the size is < 1.
Communicator world(int size);

/// Communicator of one process alone (MPI_COMM_SELF).
Communicator self(ProcessId process);

/// How two communicators relate (MPI_Comm_compare); topologies do not count.
Comparison compare(const Communicator& a, const Communicator& b);

/// What one collective call that divides a communicator gives to each of its processes.
class Partition {
 public:
  /// @param part_of one per rank of the divided communicator: position in `parts`, or none.
  Partition(std::vector<Communicator> parts, std::vector<std::optional<std::int32_t>> part_of)
      : parts_(std::move(parts)), part_of_(std::move(part_of)) {}

  /// The new communicators, in ascending order of colour.
  std::span<const Communicator> parts() const { return parts_; }

  /// Communicator of the process that has `rank` in the divided one; none stands for MPI_COMM_NULL.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the divided communicator.
  std::optional<Communicator> of(Rank rank) const;

 private:
  std::vector<Communicator> parts_;
  std::vector<std::optional<std::int32_t>> part_of_;
};

/// What one process passes to `split`.
struct SplitChoice {
  std::optional<int> colour;  ///< processes of one colour (>= 0) get one communicator; none: none
  int key = 0;                ///< order in the new communicator; ties by the old rank
};

/// Divides a communicator (MPI_Comm_split); the new ones carry no virtual topology.
/// @param choices one per rank.
/// @throws MpiError (MPI_ERR_ARG) for a negative colour or another number of choices than ranks.
Partition split(const Communicator& communicator, std::span<const SplitChoice> choices);

/// What a constructor asks when ranks may be reordered.
struct ReorderRequest {
  const Communicator& communicator;  ///< the old one: which processes there are
  const VirtualTopology& topology;   ///< over the new ranks
  const CommGraph&
      guest;  ///< one exchange over `topology`: 1 byte per edge, or its weight in bytes
};

/// Chooses which process gets which new rank: entry r of the answer is the rank in the old
/// communicator of the process that becomes rank r of the new one. As many entries as the virtual
/// topology has ranks; each old rank at most once. An empty function stands for `reorder = false`:
/// rank r stays r.
using Reorderer = std::function<std::vector<Rank>(const ReorderRequest&)>;

/// Group of the new communicator that carries `topology`: the first processes of the old one, or
/// those that the reorderer chose.
/// @throws MpiError (MPI_ERR_OTHER) if the reorderer's answer is no such choice, and whatever it
/// throws.
ProcessGroup reordered_group(const Communicator& communicator, const VirtualTopology& topology,
                             const Reorderer& reorder);

// The topology constructors of MPI. Each stands for one collective call of all processes of
// `communicator` and returns the communicator of those that belong to the new one; for the others
// (`rank_of` is none) it is MPI_COMM_NULL. Nothing of the old virtual topology is carried over.
// With a `reorder` the ranks may change, without one rank r stays r.

/// Communicator with a Cartesian topology (MPI_Cart_create).
/// @throws MpiError (MPI_ERR_DIMS) if the grid is larger than the group, (MPI_ERR_OTHER) if the
/// reorderer's answer is wrong.
Communicator cart_create(const Communicator& communicator, Cartesian grid,
                         const Reorderer& reorder = {});

/// Communicator with a graph topology (MPI_Graph_create); none at all for a graph of 0 ranks.
/// @throws MpiError (MPI_ERR_ARG) if the graph is larger than the group, (MPI_ERR_OTHER) if the
/// reorderer's answer is wrong.
std::optional<Communicator> graph_create(const Communicator& communicator, Graph graph,
                                         const Reorderer& reorder = {});

/// Communicator with a distributed graph topology of which each process gives the edges at itself
/// (MPI_Dist_graph_create_adjacent).
/// @param by_rank one entry per rank of `communicator`.
/// @throws MpiError as DistGraph does, (MPI_ERR_ARG) for another number of entries, (MPI_ERR_OTHER)
/// if the reorderer's answer is wrong.
Communicator dist_graph_create_adjacent(const Communicator& communicator,
                                        std::span<const AdjacentEdges> by_rank,
                                        const Reorderer& reorder = {});

/// Communicator with a distributed graph topology of which each process gives any edges
/// (MPI_Dist_graph_create).
/// @param by_rank one entry per rank of `communicator`.
/// @throws MpiError as DistGraph does, (MPI_ERR_ARG) for another number of entries, (MPI_ERR_OTHER)
/// if the reorderer's answer is wrong.
Communicator dist_graph_create(const Communicator& communicator,
                               std::span<const EdgeContribution> by_rank,
                               const Reorderer& reorder = {});

/// Communicators of the subgrids that keep some dimensions (MPI_Cart_sub), each with its Cartesian
/// topology, in row-major order of the dropped coordinates.
/// @param remain_dims one per dimension: true keeps it.
/// @throws MpiError (MPI_ERR_TOPOLOGY) without a Cartesian topology, (MPI_ERR_DIMS) for a wrong
/// number of entries.
Partition cart_sub(const Communicator& communicator, const std::vector<bool>& remain_dims);

/// Rank that `cart_create` with the same arguments would give each process (MPI_Cart_map), one
/// entry per old rank; none (MPI_UNDEFINED) for processes outside the grid.
/// @throws MpiError as cart_create.
std::vector<std::optional<Rank>> cart_map(const Communicator& communicator, const Cartesian& grid,
                                          const Reorderer& reorder = {});

/// Rank that `graph_create` with the same arguments would give each process (MPI_Graph_map), one
/// entry per old rank; none (MPI_UNDEFINED) for processes outside the graph.
/// @throws MpiError as graph_create.
std::vector<std::optional<Rank>> graph_map(const Communicator& communicator, const Graph& graph,
                                           const Reorderer& reorder = {});

// The topology inquiry functions of MPI (MPI-5.0, "Topology Inquiry Functions" and "Cartesian Shift
// Coordinates"), all local. `caller` is the rank of the process that asks. A maximum cuts the
// answer to its first entries; it must be >= 0 (MPI_ERR_ARG). Every function throws MpiError with
// class MPI_ERR_TOPOLOGY if the communicator carries no virtual topology or one of another kind,
// and with MPI_ERR_RANK if a rank is outside the communicator.

/// A maximum that cuts nothing.
inline constexpr int no_maximum = std::numeric_limits<int>::max();

/// Kind of virtual topology, in the order of VirtualTopology.
enum class TopologyKind { cart, graph, dist_graph };

/// Kind of the communicator's virtual topology; none stands for MPI_UNDEFINED (MPI_Topo_test).
std::optional<TopologyKind> topo_test(const Communicator& communicator);

/// Result of `graphdims_get`.
struct GraphDims {
  int num_ranks = 0;  ///< of the graph
  int num_edges = 0;  ///< neighbours, summed over all ranks
};

/// Size of the arrays of `graph_get` (MPI_Graphdims_get).
GraphDims graphdims_get(const Communicator& communicator);

/// Result of `graph_get`, as MPI_Graph_create takes it.
struct GraphArrays {
  std::vector<int> index;   ///< per rank r the number of neighbours of ranks 0..r
  std::vector<Rank> edges;  ///< neighbours of rank 0, of rank 1, and so on
};

/// The graph as given at creation (MPI_Graph_get).
GraphArrays graph_get(const Communicator& communicator, int maxindex = no_maximum,
                      int maxedges = no_maximum);

/// Number of dimensions (MPI_Cartdim_get).
int cartdim_get(const Communicator& communicator);

/// Result of `cart_get`: one entry per dimension, in their order.
struct CartDescription {
  std::vector<Dimension> dimensions;  ///< size and periodicity of each
  std::vector<int> coords;            ///< of the caller
};

/// The grid and where `caller` stands in it (MPI_Cart_get); nothing for zero dimensions.
CartDescription cart_get(const Communicator& communicator, Rank caller, int maxdims = no_maximum);

/// Rank at `coords`; periodic coordinates wrap (MPI_Cart_rank). Zero dimensions give rank 0.
/// @throws MpiError (MPI_ERR_ARG) for a wrong number of coordinates or one outside an open
/// dimension.
Rank cart_rank(const Communicator& communicator, std::span<const int> coords);

/// Coordinates of `rank`, one per dimension (MPI_Cart_coords).
std::vector<int> cart_coords(const Communicator& communicator, Rank rank, int maxdims = no_maximum);

/// Whom `caller` receives from and sends to in a shift of all (MPI_Cart_shift).
/// @param disp > 0 towards higher coordinates, < 0 towards lower ones, of any size.
/// @throws MpiError (MPI_ERR_DIMS) if direction is not a dimension, (MPI_ERR_TOPOLOGY) for a grid
/// of zero dimensions.
ShiftRanks cart_shift(const Communicator& communicator, Rank caller, int direction, int disp);

/// Number of neighbours of `rank` (MPI_Graph_neighbors_count).
int graph_neighbors_count(const Communicator& communicator, Rank rank);

/// Neighbours of `rank` in the order of creation (MPI_Graph_neighbors).
std::vector<Rank> graph_neighbors(const Communicator& communicator, Rank rank,
                                  int maxneighbors = no_maximum);

/// Result of `dist_graph_neighbors_count`.
struct DistGraphDegrees {
  int indegree = 0;                             ///< edges into the caller
  int outdegree = 0;                            ///< edges out of the caller
  Weighting weighting = Weighting::unweighted;  ///< whether weights were given
};

/// Number of edges into and out of `caller` (MPI_Dist_graph_neighbors_count).
DistGraphDegrees dist_graph_neighbors_count(const Communicator& communicator, Rank caller);

/// Result of `dist_graph_neighbors`; weights are absent for an unweighted graph.
struct DistGraphNeighbors {
  std::vector<Rank> sources;       ///< of the edges into the caller
  Weights source_weights;          ///< one per source
  std::vector<Rank> destinations;  ///< of the edges out of the caller
  Weights destination_weights;     ///< one per destination
};

/// Edges into and out of `caller`; in the order of the creation call after
/// `dist_graph_create_adjacent` (MPI_Dist_graph_neighbors).
DistGraphNeighbors dist_graph_neighbors(const Communicator& communicator, Rank caller,
                                        int maxindegree = no_maximum,
                                        int maxoutdegree = no_maximum);

}  // namespace vtopo
