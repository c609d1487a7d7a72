#include <algorithm>
#include <cstddef>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo::detail {

std::vector<std::int64_t> dragonfly_distance_profile(const DragonflySpec& spec,
                                                     const DragonflyLayout& layout) {
  std::vector<std::int64_t> blue(static_cast<std::size_t>(layout.num_routers()), 0);
  for (int l = 0; l < layout.num_links(); ++l)
    if (layout.colour(LinkId{l}) == DragonflyColour::blue)
      ++blue[static_cast<std::size_t>(layout.link_ends(LinkId{l}).from - layout.num_hosts())];
  const std::int64_t most = *std::max_element(blue.begin(), blue.end());
  const std::int64_t hosts = spec.hosts_per_blade;
  const std::int64_t direct = spec.blades - 1 + spec.chassis - 1;
  const std::int64_t near = std::min<std::int64_t>(direct + most, layout.num_routers() - 1);
  if (layout.has_equal_groups())
    return {1, 0, hosts - 1, hosts * near, hosts * (layout.num_routers() - 1 - near)};
  // No router has more hosts than counted here, nor more of them near.
  const std::int64_t all = layout.num_hosts();
  const std::int64_t at_router = std::min(hosts, all);
  const std::int64_t at_near = std::min(hosts * near, all - at_router);
  return {1, 0, at_router - 1, at_near, all - at_router - at_near};
}

}  // namespace vtopo::detail
