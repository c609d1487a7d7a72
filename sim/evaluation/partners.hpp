#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Rank that another one exchanges data with, and what flows between them in bytes.
struct Partner {
  Rank rank{};
  Bytes sent;      ///< to the partner
  Bytes received;  ///< from the partner

  Bytes both() const { return sent + received; }
};

/// The guest as an undirected graph: parallel edges and both directions merged, self loops and
/// edges without volume dropped. All that hop-bytes depend on.
class Partners {
 public:
  /// Merges the edges of `guest`; sums volumes in the order of its edges.
  explicit Partners(const CommGraph& guest);

  int num_ranks() const { return static_cast<int>(offsets_.size()) - 1; }

  /// Partners of `rank`, ascending.
  std::span<const Partner> of(Rank rank) const {
    const std::size_t first = offsets_[index(rank)];
    return {partners_.data() + first, offsets_[index(rank) + 1] - first};
  }

  /// Most partners of one rank.
  int max_degree() const;

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Partner> partners_;
};

}  // namespace vtopo::detail
