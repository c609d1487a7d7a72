#include <fmt/format.h>

#include "netmodels/models/torus/answers.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

PlaneLayout torus_picture(const TorusSpec& spec, int hosts) {
  PlaneLayout layout{{}, spec.hosts_per_router > 1 ? hosts : 0, spec.hosts_per_router};
  for (const TorusDimension& dimension : spec.dimensions)
    layout.axes.push_back({fmt::format("d{}", int_size(layout.axes)), dimension.size});
  return layout;
}

}  // namespace vtopo::detail
