#pragma once

#include <cstddef>
#include <vector>

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Ranks whose partners get equal volumes: for bounds that do not look at who the partner is, they
/// are one.
struct RankType {
  std::vector<double> volumes;  ///< with each partner, both ways; bytes, descending
  std::vector<double> sums;     ///< entry k: of the k heaviest; one entry more than `volumes`
  int ranks = 0;

  /// Volume with all but the `kept` heaviest partners.
  double without(std::size_t kept) const {
    return kept >= volumes.size() ? 0 : sums.back() - sums[kept];
  }
};

/// The types in the order of their first rank, and the type of each rank.
struct RankTypes {
  std::vector<RankType> types;
  std::vector<int> type_of;  ///< one entry per rank

  int num_ranks() const { return static_cast<int>(type_of.size()); }
};

RankTypes rank_types(const Partners& partners);

}  // namespace vtopo::detail
