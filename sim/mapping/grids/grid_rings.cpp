#include "sim/mapping/grids/grid_rings.hpp"

#include <variant>

#include "sim/mapping/state/host_codes.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

std::optional<GridRings> GridRings::of(const Network& network, const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  if (torus == nullptr || torus->hosts_per_router != 1 || !host_codes(network, allocation) ||
      allocation.num_hosts() != network.num_hosts())
    return std::nullopt;
  std::vector<Place> place_of(allocation.hosts.size());
  for (std::size_t p = 0; p < place_of.size(); ++p)
    place_of[index(allocation.hosts[p])] = id_at<Place>(p);
  GridRings rings;
  rings.degree_ = 2 * torus->dimensions.size();
  rings.seen_.resize(place_of.size(), 0);
  for (const HostId host : allocation.hosts) {
    std::int64_t stride = 1;
    for (const TorusDimension& dimension : torus->dimensions) {
      const std::int64_t at = number(host) / stride % dimension.size;
      for (const int step : {-1, 1}) {
        std::int64_t to = at + step;
        if (to < 0 || to >= dimension.size) to = dimension.wraps ? dimension.size - 1 - at : at;
        rings.neighbours_.push_back(
            place_of[narrow<std::size_t>(number(host) + (to - at) * stride)]);
      }
      stride *= dimension.size;
    }
  }
  return rings;
}

}  // namespace vtopo
