#pragma once

#include <string>
#include <vector>

#include "topology/patterns/communication_steps.hpp"

namespace vtopo::detail::collectives {

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

}  // namespace vtopo::detail::collectives
