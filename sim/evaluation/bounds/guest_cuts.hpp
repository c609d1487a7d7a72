#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sim/evaluation/bounds/guest_grid.hpp"
#include "sim/evaluation/bounds/rank_types.hpp"
#include "sim/evaluation/bounds/small_guest_cuts.hpp"
#include "sim/evaluation/bounds/tree_packing.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// What sets of ranks exchange with the others at least, in bytes both ways, whatever the set.
class GuestCuts {
 public:
  /// Partners and types must outlive it.
  /// @param set_by_set whether small guests are judged by all their sets instead of arguments.
  GuestCuts(const Partners& partners, const RankTypes& types, bool set_by_set = true);

  int num_ranks() const { return types_.num_ranks(); }

  /// Of any `ranks` ranks.
  double least(int ranks);

  /// Of any set whose number of ranks is between both.
  double least_between(int fewest, int most);

  /// Sum over disjoint sets that hold all ranks, each at most `most`, and at least `fewest` or
  /// none; what flows between two of them counts for both.
  double least_sum(int fewest, int most);

  /// What one of such sets exchanges at least, over the least of all ways to part the ranks.
  struct OneSet {
    double both_ways = 0;
    double one_way = 0;  ///< sends or receives
    double sent = 0;     ///< 0 where the guest is large
  };
  OneSet least_of_greatest(int fewest, int most);

  /// One way only, the way on which more is sent, of any set whose number of ranks is between both.
  double least_one_way(int fewest, int most);

  /// Trees that prove a sum over sets of at most `most` ranks (`pack_trees`), made once; none where
  /// other arguments are better or there are too many ranks.
  const TreePacking& trees(int most);

  const std::optional<GuestGrid>& grid() const { return grid_; }

  /// `least_connectivity`; 0 where a grid is known, which says more.
  double connectivity();

 private:
  double by_partners(int ranks);
  double by_connectivity(int ranks);
  double by_graph(int most);

  const Partners& partners_;
  const RankTypes& types_;
  std::size_t max_degree_;
  std::optional<GuestGrid> grid_;
  std::optional<double> connectivity_;
  std::optional<SmallGuestCuts> small_;
  std::map<int, TreePacking> trees_;  ///< by the ranks of a set
  std::vector<double> known_;         ///< of `least`, negative where it is not; one entry per size
  double work_ = 0;
};

}  // namespace vtopo::detail
