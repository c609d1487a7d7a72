#pragma once

#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"

/// What disjoint sets of ranks exchange at least, by arguments that look at the guest as a graph.
/// Sets hold all ranks; what flows between two of them counts once, in bytes both ways.
namespace vtopo::detail::checking {

/// Ranks of guests so small that all their sets can be looked at.
inline constexpr std::size_t max_small_ranks = 14;

/// The greater of two arguments. By packed trees (spreading metrics: Even, Naor, Rao, Schieber, J.
/// ACM 2000): of a tree of n ranks all but `most` are in other sets than its root, so that an edge
/// between is cut. By forests of the heaviest edges (Kruskal 1956), each of what the ones before
/// have left: a tree of n ranks meets n / `most` sets at least and loses one edge less.
/// @param packings by ranks of a set, lists of `[weight, root, rank, parent, rank, parent, ...]`
/// per tree.
/// @throws WrongFigure if the trees take more of an edge than it has.
double between_sets_by_graph(const Volumes& both, const Json& packings, std::size_t most,
                             const Claims& claims);

/// Volumes of small guests, set by set.
class SmallSets {
 public:
  /// @param both of at most `max_small_ranks` ranks.
  explicit SmallSets(const Volumes& both);

  /// Between any `count` ranks and the others.
  double least(std::size_t count) const;

  /// Between sets of `fewest` to `most` ranks, over all ways to part the ranks; 0 if there is none.
  double least_between_sets(std::size_t fewest, std::size_t most) const;

 private:
  Numbers cut_;  // of each set, as bits of its ranks
};

}  // namespace vtopo::detail::checking
