#pragma once

#include <vector>

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Rank of a tree and the step of its parent.
struct TreeStep {
  Rank rank{};
  int parent = 0;  ///< position among the steps, before its own; of the root 0
};

/// Tree of partners and how much of their volumes it takes.
struct PackedTree {
  double weight = 0;            ///< bytes
  std::vector<TreeStep> steps;  ///< the root first
};

/// Trees that together take no more than the volumes of their edges: a tree of weight y takes y
/// times the ranks below an edge from that edge.
struct TreePacking {
  /// Sum over the trees of weight times `reach` of the ranks below the root: a lower bound of
  /// volumes, both ways, times distances. Distances of the ranks of a tree from its root are at
  /// most those along its edges, and add up to `reach` at least, whatever the embedding (spreading
  /// metrics: Even, Naor, Rao, Schieber, "Divide-and-conquer approximation algorithms via spreading
  /// metrics", J. ACM 2000; the packing is the dual linear program).
  double value = 0;
  std::vector<PackedTree> trees;
};

/// A packing of nearly the largest value, by multiplicative weights (Plotkin, Shmoys, Tardos 1995).
/// @param reach entry k: no k ranks are closer to another rank than this, added up; it never
/// decreases.
TreePacking pack_trees(const Partners& partners, const std::vector<double>& reach);

}  // namespace vtopo::detail
