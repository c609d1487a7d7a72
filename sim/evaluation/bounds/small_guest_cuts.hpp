#pragma once

#include <vector>

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// What sets of ranks exchange, set by set: of guests so small that all sets can be looked at.
class SmallGuestCuts {
 public:
  static constexpr int max_ranks = 14;

  /// @param partners of at most `max_ranks` ranks.
  explicit SmallGuestCuts(const Partners& partners);

  /// Least volume, both ways, between any `ranks` ranks and the others.
  double least(int ranks) const { return least_[static_cast<std::size_t>(ranks)]; }

  /// The same, one way only: the way on which more is sent.
  double least_one_way(int ranks) const { return one_way_[static_cast<std::size_t>(ranks)]; }

  /// Over all ways to part the ranks into sets of `fewest` to `most`: the least sum of what the
  /// sets exchange both ways, and the least of what the set that sends or receives most does so one
  /// way.
  struct Parted {
    double sum = 0;
    double most_one_way = 0;
    double most_sent = 0;  ///< likewise, of what a set sends
  };
  Parted least_parted(int fewest, int most) const;

 private:
  int ranks_;
  std::vector<double> sent_;      ///< one entry per set, as bits of its ranks
  std::vector<double> received_;  ///< likewise
  std::vector<double> least_;     ///< one entry per number of ranks, as the next
  std::vector<double> one_way_;
};

}  // namespace vtopo::detail
