#pragma once

#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// Ranks 0 to `num_ranks` - 1.
inline std::vector<Rank> all_ranks(int num_ranks) {
  std::vector<Rank> ranks(static_cast<std::size_t>(num_ranks));
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = id_at<Rank>(r);
  return ranks;
}

}  // namespace vtopo::detail
