#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo {

std::vector<HostParts> dragonfly_parts(const DragonflySpec& spec, int hosts) {
  const int router = spec.hosts_per_blade, chassis = spec.blades * router,
            group = spec.chassis * chassis;
  return {{"group", "groups", {equal_parts(hosts, group, hosts / group)}},
          {"chassis", "chassis", {equal_parts(hosts, chassis, hosts / chassis)}},
          {"router", "routers", {equal_parts(hosts, router, hosts / router)}}};
}

}  // namespace vtopo
