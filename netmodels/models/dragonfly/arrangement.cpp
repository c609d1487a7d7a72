#include "netmodels/models/dragonfly/arrangement.hpp"

#include <algorithm>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

int ports_per_router(const DragonflySpec& spec) {
  const std::int64_t routers = std::int64_t{spec.chassis} * spec.blades;
  const std::int64_t ports = std::int64_t{spec.groups - 1} * spec.cables_per_pair;
  return std::max(1, narrow<int>((ports + routers - 1) / routers));
}

}  // namespace

DragonflyArrangement::DragonflyArrangement(const DragonflySpec& spec)
    : kind_(spec.arrangement),
      groups_(spec.groups),
      stride_(std::max(1, spec.chassis * spec.blades / spec.cables_per_pair)),
      routers_(spec.chassis * spec.blades),
      ports_per_router_(ports_per_router(spec)) {}

const char* arrangement_name(GlobalArrangement arrangement) {
  switch (arrangement) {
    case GlobalArrangement::simgrid:
      return "simgrid";
    case GlobalArrangement::absolute:
      return "absolute";
    case GlobalArrangement::relative:
      return "relative";
    case GlobalArrangement::circulant:
      break;
  }
  return "circulant";
}

}  // namespace vtopo::detail
