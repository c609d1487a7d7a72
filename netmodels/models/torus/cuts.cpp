#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "netmodels/models/torus/answers.hpp"

namespace vtopo::detail {

std::vector<VertexCells> torus_cuts(const TorusSpec& spec, int hosts) {
  const int per_router = spec.hosts_per_router;
  const int routers = hosts / per_router, first_router = per_router > 1 ? hosts : 0;
  std::vector<int> router_of(static_cast<std::size_t>(first_router + routers));
  for (std::size_t v = 0; v < router_of.size(); ++v) {
    const int vertex = static_cast<int>(v);
    router_of[v] = vertex < first_router ? vertex / per_router : vertex - first_router;
  }
  std::vector<VertexCells> families;
  int stride = 1;
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
    const auto& [size, wraps, rates] = spec.dimensions[d];
    if (size > 1) {
      // Both cables of a ring of two lie between the same coordinates.
      families.push_back({fmt::format("planes of dimension {}", d), size, router_of,
                          wraps && size > 2 ? AxisKind::ring : AxisKind::path, 1});
      for (int& cell : families.back().cell_of) cell = cell / stride % size;
    }
    stride *= size;
  }
  // By a twisted wrap planes lead to any other; these links count for the planes of their
  // dimension.
  if (spec.twist > 0) {
    VertexCells& shifted =
        spec.twist < spec.dimensions[0].size ? families.front() : families.back();
    shifted.joined = AxisKind::complete;
    shifted.hops = 0;
  }
  if (first_router == 0 || families.empty()) return families;
  VertexCells single{"hosts", hosts, std::vector<int>(static_cast<std::size_t>(hosts)),
                     AxisKind::complete, 1};
  for (int h = 0; h < hosts; ++h) single.cell_of[static_cast<std::size_t>(h)] = h;
  families.push_back(std::move(single));
  families.push_back({"routers", routers, std::move(router_of), AxisKind::complete, 0});
  return families;
}

}  // namespace vtopo::detail
