#include <algorithm>
#include <cstddef>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo {

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
  return {1, 0, hosts - 1, hosts * near, hosts * (layout.num_routers() - 1 - near)};
}

}  // namespace vtopo
