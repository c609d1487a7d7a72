#include <algorithm>
#include <cstdint>

#include "sim/evaluation/bounds/host_profiles.hpp"

namespace vtopo::detail {

HostProfile nearest_by_shape(const Network& network, int slots, std::size_t count) {
  const auto at = network.distance_profile(static_cast<std::int64_t>(count) + 1);
  HostProfile nearest;
  for (std::size_t h = 0; h < at.size(); ++h)
    for (std::int64_t i = h == 0 ? 1 : 0; i < at[h] * slots && nearest.size() < count; ++i)
      nearest.push_back(static_cast<int>(h));
  if (nearest.size() < count) nearest.clear();
  return nearest;
}

}  // namespace vtopo::detail
