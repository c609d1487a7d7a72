#pragma once

#include <optional>
#include <vector>

#include "sim/evaluation/bounds/guest_grid.hpp"
#include "sim/evaluation/bounds/rank_types.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// What sets of ranks exchange with the others at least, in bytes both ways, whatever the set.
class GuestCuts {
 public:
  /// Both must outlive it.
  GuestCuts(const Partners& partners, const RankTypes& types);

  int num_ranks() const { return types_.num_ranks(); }

  /// Of any `ranks` ranks.
  double least(int ranks);

  /// Of any set whose number of ranks is between both.
  double least_between(int fewest, int most);

  /// Sum over disjoint sets that hold all ranks, each at most `most`, and at least `fewest` or
  /// none; what flows between two of them counts for both.
  double least_sum(int fewest, int most);

  const std::optional<GuestGrid>& grid() const { return grid_; }

 private:
  double by_partners(int ranks);
  double by_connectivity(int ranks);

  const Partners& partners_;
  const RankTypes& types_;
  std::size_t max_degree_;
  std::optional<GuestGrid> grid_;
  std::optional<double> connectivity_;
  std::vector<double> known_;  ///< of `least`, negative where it is not; one entry per size
  double work_ = 0;
};

}  // namespace vtopo::detail
