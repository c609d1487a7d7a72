#pragma once

#include <cstddef>
#include <vector>

#include "sim/mapping/grids/fold_search.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Slots of ranks in a folding, from a table of digits per guest dimension.
class FoldedSlots {
 public:
  /// @param axes must outlive the object, and so must `folding`; both without entries of size 1.
  FoldedSlots(const Cartesian& grid, const std::vector<FoldAxis>& axes, const Folding& folding);

  /// Slot of one rank.
  std::size_t of(Rank rank) const;

  /// Calls `visit(slot)` for all ranks in order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    std::vector<int> combinations((dimensions_.size() + 1) * axes_->size(), 0);
    walk(0, combinations.data(), visit);
  }

 private:
  struct Folded {
    int size;
    int stride;
    std::vector<int> shares;  ///< per coordinate and host axis: what it adds to the combination
  };

  std::vector<int> shares(const Folding& folding, std::size_t i, int size) const;
  std::size_t slot(const int* combinations) const;

  /// @param combinations one entry per host axis, of the dimensions before `d`; room follows.
  template <class Visitor>
  void walk(std::size_t d, int* combinations, Visitor& visit) const {
    if (d == dimensions_.size()) {
      visit(slot(combinations));
      return;
    }
    int* const next = combinations + axes_->size();
    const int* share = dimensions_[d].shares.data();
    for (int c = 0; c < dimensions_[d].size; ++c) {
      for (std::size_t j = 0; j < axes_->size(); ++j) next[j] = combinations[j] + *share++;
      walk(d + 1, next, visit);
    }
  }

  const std::vector<FoldAxis>* axes_;
  const std::vector<FoldLayout>* layouts_;
  std::vector<Folded> dimensions_;
};

}  // namespace vtopo::detail
