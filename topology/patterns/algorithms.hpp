#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/patterns/collectives.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail::collectives {

/// Edge of a tree over the ranks of a communicator, counted from the root, which is 0.
struct TreeEdge {
  int parent = 0;
  int child = 0;
  int depth = 0;  ///< of the parent
  int turn = 0;   ///< step in which it is used where a rank serves one child after the other
};

/// One edge to each rank but the root.
using Tree = std::vector<TreeEdge>;

/// Level by level, `radix` children each; Open MPI's: neighbours on a level have different parents.
Tree level_tree(int ranks, int radix);
/// So many chains from the root; the first ones are longer by one where they are not equal.
Tree chains(int ranks, int count);
/// Ranks whose number to the base of `radix` differs in the last digit that is not 0. The farthest
/// child first; radix 2 is the binomial tree.
Tree knomial_tree(int ranks, int radix);
/// The binomial tree in which the distance of partners halves from step to step (the root sends to
/// the farthest first) or doubles.
Tree binomial_tree(int ranks, bool doubling);
/// Binary, of contiguous subtrees, the root is the last rank: a reduction that keeps the order of
/// ranks. Ranks are those of the communicator.
Tree in_order_tree(int ranks);

/// Over nodes, where every second one is a leaf, and inside of each node a chain of its ranks.
/// @param head rank inside of a node that is connected to other nodes.
/// @param second the tree whose leaves are inner nodes of the first: P. Sanders, J. Speck, J.
/// Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", Parallel
/// Computing 35(12), 2009; numbered as NCCL does (src/graph/trees.cc).
Tree node_tree(int ranks, int per_node, int head, bool second);
/// Along the ring of a channel from `root` on; ranks are those of the communicator.
Tree ring_chain(int ranks, int per_node, int channel, int root);

/// How a message goes down a tree.
struct TreeFlow {
  int ranks = 0;
  int root = 0;
  std::int64_t segments = 1;  ///< each follows the one before a step later
  bool together = true;       ///< a rank serves all its children at once; else in turns
  /// Slots of a segment to a child; empty: one, the segment's.
  std::function<std::vector<int>(std::int64_t segment, int child)> slots = nullptr;
  std::function<std::int64_t(int child)> count = nullptr;  ///< how many; empty: 1
};

/// Steps of it. Where all ranks of the tree are busy, equal steps are rounds of one.
StepSequence down_the_tree(const Tree& tree, const TreeFlow& flow);
/// All of them at once; slots of tree k follow those of the trees before it.
StepSequence down_the_trees(const std::vector<Tree>& trees, const TreeFlow& flow);
/// The same of a vector of which each tree has an equal part.
/// @throws UsageError for more slots than a number counts.
CommunicationSteps over_trees(const std::vector<Tree>& trees, const TreeFlow& flow);

/// The largest power of two of ranks that is there. In front, the first even ranks, one for each
/// rank too many, hand what they have to the next odd rank; behind, they get the result from it.
/// So MPICH does it for all numbers of ranks that are not a power of two.
class PowerOfTwo {
 public:
  /// @param always takes part: its odd neighbour hands over to it where it is one of those even
  /// ranks; -1: none.
  explicit PowerOfTwo(int ranks, int always = -1);

  int size() const { return size_; }
  int surplus() const { return surplus_; }

  /// Rank of the n-th that takes part.
  int rank(int n) const;
  /// Rank that hands its vector to the n-th, n < surplus.
  int outsider(int n) const { return 4 * n + 1 - rank(n); }
  /// Which one of those that take part a rank is.
  int place(int rank) const { return rank < 2 * surplus_ ? rank / 2 : rank - surplus_; }
  /// Ranks whose vectors the n-th has in front: its own and, where there is one, its outsider's.
  std::vector<int> members(int n) const;

  /// @param slots of the buffer, all of them.
  StepSequence fold(int slots) const;
  StepSequence unfold(int slots) const;

  /// Everyone who takes part with the one whose number differs in one bit; the whole buffer.
  CommunicationStep exchange(int distance, int slots) const;

  /// Halves the buffer log2(size) times, those agreeing in more and more bits: in the end the
  /// n-th has reduced the blocks of its members.
  /// @param doubling partners are neighbours first, else farthest first.
  /// @param per_rank a block per rank, and slot r is that of rank r; else one per n.
  StepSequence halving(bool doubling, bool per_rank) const;

 private:
  int size_;
  int surplus_;
  int always_;
};

// The algorithms behind `collective_algorithms`; arguments as there.
using Options = CollectiveOptions;
CommunicationSteps allreduce_linear(int ranks, const Options& options);
CommunicationSteps allreduce_rabenseifner(int ranks, const Options& options);
CommunicationSteps allreduce_recursive_doubling(int ranks, const Options& options);
CommunicationSteps allreduce_reduce_bcast(int ranks, const Options& options);
CommunicationSteps allreduce_ring(int ranks, const Options& options);
CommunicationSteps allreduce_tree(int ranks, const Options& options);
CommunicationSteps allreduce_double_tree(int ranks, const Options& options);
CommunicationSteps allreduce_hierarchical(int ranks, const Options& options);
CommunicationSteps allgather_hierarchical(int ranks, const Options& options);
CommunicationSteps reduce_scatter_hierarchical(int ranks, const Options& options);
CommunicationSteps alltoall_hierarchical(int ranks, const Options& options);
CommunicationSteps allreduce_axes_doubling(int ranks, const Options& options);
CommunicationSteps allreduce_axes_halving(int ranks, const Options& options);
CommunicationSteps allgather_bruck(int ranks, const Options& options);
CommunicationSteps allgather_linear(int ranks, const Options& options);
CommunicationSteps allgather_neighbor(int ranks, const Options& options);
CommunicationSteps allgather_recursive_doubling(int ranks, const Options& options);
CommunicationSteps allgather_ring(int ranks, const Options& options);
CommunicationSteps allgather_sparbit(int ranks, const Options& options);
CommunicationSteps alltoall_bruck(int ranks, const Options& options);
CommunicationSteps alltoall_linear(int ranks, const Options& options);
CommunicationSteps alltoall_pairwise(int ranks, const Options& options);
CommunicationSteps barrier_binomial(int ranks, const Options& options);
CommunicationSteps barrier_bruck(int ranks, const Options& options);
CommunicationSteps barrier_linear(int ranks, const Options& options);
CommunicationSteps barrier_recursive_doubling(int ranks, const Options& options);
CommunicationSteps bcast_binomial(int ranks, const Options& options);
CommunicationSteps bcast_scatter_allgather(int ranks, const Options& options);
CommunicationSteps bcast_scatter_allgather_ring(int ranks, const Options& options);
CommunicationSteps bcast_split_binary(int ranks, const Options& options);
CommunicationSteps bcast_binary(int ranks, const Options& options);
CommunicationSteps bcast_chain(int ranks, const Options& options);
CommunicationSteps bcast_knomial(int ranks, const Options& options);
CommunicationSteps bcast_linear(int ranks, const Options& options);
CommunicationSteps reduce_binary(int ranks, const Options& options);
CommunicationSteps reduce_binomial(int ranks, const Options& options);
CommunicationSteps reduce_chain(int ranks, const Options& options);
CommunicationSteps reduce_knomial(int ranks, const Options& options);
CommunicationSteps reduce_linear(int ranks, const Options& options);
CommunicationSteps reduce_rabenseifner(int ranks, const Options& options);
CommunicationSteps reduce_scatter_butterfly(int ranks, const Options& options);
CommunicationSteps reduce_scatter_pairwise(int ranks, const Options& options);
CommunicationSteps reduce_scatter_recursive_doubling(int ranks, const Options& options);
CommunicationSteps reduce_scatter_recursive_halving(int ranks, const Options& options);
CommunicationSteps reduce_scatter_reduce_then_scatter(int ranks, const Options& options);
CommunicationSteps reduce_scatter_ring(int ranks, const Options& options);
CommunicationSteps gather_binomial(int ranks, const Options& options);
CommunicationSteps gather_linear(int ranks, const Options& options);
CommunicationSteps gather_linear_sync(int ranks, const Options& options);
CommunicationSteps scatter_bcast(int ranks, const Options& options);
CommunicationSteps scatter_binomial(int ranks, const Options& options);
CommunicationSteps scatter_linear(int ranks, const Options& options);

// What several of them are made of.

/// Remainder in [0, ranks), also of negative numbers.
int modulo(std::int64_t value, int ranks);

/// The rank `by` further in the node of a rank; behind the last one of the node comes its first.
int moved_in_node(int rank, int by, int per_node);

/// `count` slots from `first` on, behind the last one again from 0.
std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots);

/// Rings through all ranks, one per channel: node after node, that of channel c enters each at its
/// rank c and leaves it at the one before. So NCCL's rings use all interfaces of a node.
struct Channels {
  int count = 1;
  int per_node = 1;  ///< ranks, which follow each other
};

/// @throws UsageError where nodes would not be full, or have fewer ranks than there are channels.
Channels channels_of(int ranks, const Options& options);

/// Everyone sends one block to the next rank, in round r the one that lies `start - r` behind its
/// own; in every channel its part of the block.
/// @param slots of a part.
CommunicationStep ring_step(int ranks, int start, int slots = 1, const Channels& channels = {});

/// The same messages backwards, the last first, with the same slots.
StepSequence reversed(const StepSequence& steps, StepEffect effect);

/// The same messages of the whole buffer of so many slots, not of one.
StepSequence of_whole_buffer(const StepSequence& steps, int slots);

/// The same steps; names begin with `what, `.
StepSequence named(std::string_view what, const StepSequence& steps);

/// Distances of a binomial tree among `ranks`, 1, 2, 4, ...; the largest first unless `doubling`.
std::vector<std::int64_t> distances(int ranks, bool doubling);

/// Whether the options have the order in which distances double.
bool doubling(const Options& options);

/// What the ranks of a binomial tree pass on and collect: the root sends every other rank its
/// block; that of the rank v behind the root is block v.
StepSequence scatter_blocks(int ranks, int root, bool doubling);

/// Every rank gets the blocks of all; that of the rank v behind the root is block v.
/// @param doubling neighbours first, any number of ranks; else the farthest first, powers of two.
StepSequence allgather_blocks(int ranks, int root, bool doubling);

/// The root sends to everyone.
/// @param window messages at once, 0: all.
/// @param blocks everyone gets its own block, that of the rank v behind the root is block v; else
/// all get slot 0.
StepSequence from_root(int ranks, int root, int window, bool blocks);

}  // namespace vtopo::detail::collectives
