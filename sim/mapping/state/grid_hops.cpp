#include "sim/mapping/state/grid_hops.hpp"

#include <algorithm>
#include <variant>

#include "sim/mapping/state/hops_along.hpp"

namespace vtopo {

namespace {

constexpr std::size_t max_size = 256;

}  // namespace

std::optional<GridHops> GridHops::of(const Network& network, const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  if (torus == nullptr || torus->hosts_per_router != 1 || torus->dimensions.size() > dimensions)
    return std::nullopt;
  GridHops grid;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const bool there = d < torus->dimensions.size();
    if (there) grid.sizes_[d] = static_cast<std::size_t>(torus->dimensions[d].size);
    if (grid.sizes_[d] > max_size) return std::nullopt;
    grid.tables_[d] =
        hops_along<std::uint16_t>(grid.sizes_[d], there && torus->dimensions[d].wraps);
  }
  for (const HostId host : allocation.hosts) {
    std::size_t rest = index(host);
    auto& coords = grid.coords_.emplace_back();
    for (std::size_t d = 0; d < dimensions; rest /= grid.sizes_[d++])
      coords[d] = static_cast<std::uint8_t>(rest % grid.sizes_[d]);
  }
  return grid.agrees_with(network, allocation) ? std::optional(std::move(grid)) : std::nullopt;
}

/// A network may lead around links that failed: some pairs, near and far, must be as they should.
bool GridHops::agrees_with(const Network& network, const Allocation& allocation) const {
  const std::size_t size = allocation.hosts.size();
  for (std::size_t p = 0; p < size; ++p)
    for (const std::size_t ahead : {std::size_t{1}, size / 3, size - 1}) {
      const std::size_t q = (p + ahead) % size;
      if (p != q && network.hops(allocation.hosts[p], allocation.hosts[q]) !=
                        from(id_at<Place>(p)).to(id_at<Place>(q)))
        return false;
    }
  return true;
}

}  // namespace vtopo
