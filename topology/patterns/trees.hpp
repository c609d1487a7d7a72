#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "topology/patterns/communication_steps.hpp"

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

}  // namespace vtopo::detail::collectives
