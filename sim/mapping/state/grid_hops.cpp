#include "sim/mapping/state/grid_hops.hpp"

#include <algorithm>

#include "sim/mapping/state/hops_along.hpp"

namespace vtopo {

namespace {

constexpr int max_size = 256;

}  // namespace

std::optional<GridHops> GridHops::of(const Network& network, const Allocation& allocation) {
  const HopMetric metric = network.hop_metric();
  const auto* known = std::get_if<GridMetric>(&metric);
  if (known == nullptr || known->grid.hosts_per_router != 1 || known->host_hops != 0 ||
      known->grid.axes.size() > dimensions)
    return std::nullopt;
  GridHops grid;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const NetworkAxis axis =
        d < known->grid.axes.size() ? known->grid.axes[d] : NetworkAxis{1, AxisKind::path};
    if (axis.size > max_size) return std::nullopt;
    grid.sizes_[d] = static_cast<std::size_t>(axis.size);
    grid.tables_[d] = hops_along<std::uint16_t>(axis);
  }
  for (const HostId host : allocation.hosts) {
    std::size_t rest = index(host);
    auto& coords = grid.coords_.emplace_back();
    for (std::size_t d = 0; d < dimensions; rest /= grid.sizes_[d++])
      coords[d] = static_cast<std::uint8_t>(rest % grid.sizes_[d]);
  }
  return grid;
}

}  // namespace vtopo
