#include "sim/mapping/grids/grid_rings.hpp"

#include <variant>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

std::optional<GridRings> GridRings::of(const Network& network, const Allocation& allocation) {
  const HopMetric metric = network.hop_metric();
  const auto* known = std::get_if<GridMetric>(&metric);
  if (known == nullptr || known->grid.hosts_per_router != 1 ||
      allocation.num_hosts() != network.num_hosts())
    return std::nullopt;
  const auto& axes = known->grid.axes;
  std::vector<Place> place_of(allocation.hosts.size());
  for (std::size_t p = 0; p < place_of.size(); ++p)
    place_of[index(allocation.hosts[p])] = id_at<Place>(p);
  GridRings rings;
  rings.seen_.resize(place_of.size(), 0);
  for (const NetworkAxis& axis : axes)
    rings.degree_ += axis.kind == AxisKind::complete ? static_cast<std::size_t>(axis.size) - 1 : 2;
  for (const HostId host : allocation.hosts) {
    std::int64_t stride = 1;
    for (const NetworkAxis& axis : axes) {
      const std::int64_t at = number(host) / stride % axis.size;
      const auto add = [&](std::int64_t to) {
        rings.neighbours_.push_back(
            place_of[narrow<std::size_t>(number(host) + (to - at) * stride)]);
      };
      if (axis.kind == AxisKind::complete)
        for (int to = 0; to < axis.size; ++to) {
          if (to != at) add(to);
        }
      else
        for (const int step : {-1, 1}) {
          const std::int64_t to = at + step;
          if (to >= 0 && to < axis.size)
            add(to);
          else
            add(axis.kind == AxisKind::ring ? axis.size - 1 - at : at);
        }
      stride *= axis.size;
    }
  }
  return rings;
}

}  // namespace vtopo::detail
