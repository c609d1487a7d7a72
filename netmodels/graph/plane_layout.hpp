#pragma once

#include <fmt/format.h>

#include "netmodels/network_facts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

/// Planes of the first two dimensions; where routers have one host each they are the hosts.
/// @param dimensions with their sizes, the fastest first.
template <class Dimensions>
PlaneLayout plane_layout(const Dimensions& dimensions, int hosts, int hosts_per_router) {
  PlaneLayout layout{{}, hosts_per_router > 1 ? hosts : 0, hosts_per_router};
  for (const auto& dimension : dimensions)
    layout.axes.push_back({fmt::format("d{}", int_size(layout.axes)), dimension.size});
  return layout;
}

}  // namespace vtopo::detail
