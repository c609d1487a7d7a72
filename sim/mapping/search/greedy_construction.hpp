#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// The places of an allocation of a whole grid, ring after ring around one of them.
class GridRings {
 public:
  /// Nothing if the hops are not those of a grid with one host per router, or some of its hosts are
  /// not in the allocation.
  static std::optional<GridRings> of(const Network& network, const Allocation& allocation);

  /// Calls `visit(place, hops)` for places in the order of their hops from `centre`, until it
  /// returns false.
  template <class Visit>
  void around(Place centre, Visit&& visit) {
    ++search_;
    queue_.assign(1, centre);
    seen_[index(centre)] = search_;
    int hops = 0;
    std::size_t ring_end = 1;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (i == ring_end) ring_end = queue_.size(), ++hops;
      if (!visit(queue_[i], hops)) return;
      const std::size_t place = index(queue_[i]);
      for (std::size_t n = offsets_[place]; n < offsets_[place + 1]; ++n) {
        std::int64_t& seen = seen_[index(neighbours_[n])];
        if (seen == search_) continue;
        seen = search_;
        queue_.push_back(neighbours_[n]);
      }
    }
  }

 private:
  std::vector<std::size_t> offsets_{0};
  std::vector<Place> neighbours_;  ///< of each place in turn
  std::vector<std::int64_t> seen_;
  std::int64_t search_ = 0;
  std::vector<Place> queue_;
};

/// Host of the first rank: the first of the allocation, or the one closest to all others.
enum class GreedyStart { first_host, centre };

/// The heaviest rank first, then always the rank that exchanges most with all placed ones, onto the
/// free slot that adds the least hop-bytes to all its placed partners. O(edges * hosts).
Embedding construct_greedily(const MappingProblem& problem, const Progress& progress,
                             GreedyStart start);

}  // namespace vtopo::detail
