#include "netmodels/models/torus/answers.hpp"

namespace vtopo::detail {

HostParts torus_planes(const TorusSpec& spec, int hosts) {
  HostParts planes{"plane", "planes", {}, true};
  std::int64_t stride = spec.hosts_per_router;
  for (const TorusDimension& dimension : spec.dimensions) {
    planes.partitions.push_back(equal_parts(hosts, stride, dimension.size));
    stride *= dimension.size;
  }
  return planes;
}

}  // namespace vtopo::detail
