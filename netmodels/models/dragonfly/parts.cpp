#include <numeric>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo::detail {

std::vector<HostParts> dragonfly_parts(const DragonflySpec& spec, const DragonflyLayout& layout) {
  const int hosts = layout.num_hosts();
  if (!layout.has_equal_groups()) {
    HostPartition groups{layout.groups(), {}}, routers{layout.num_routers(), {}};
    for (int h = 0; h < hosts; ++h) {
      routers.part_of.push_back(layout.router_number(HostId{h}));
      groups.part_of.push_back(layout.router(routers.part_of.back()).group);
    }
    return {{"group", "groups", {groups}},
            {"chassis", "chassis", {groups}},
            {"router", "routers", {routers}}};
  }
  const int router = spec.hosts_per_blade, chassis = spec.blades * router,
            group = spec.chassis * chassis;
  return {{"group", "groups", {equal_parts(hosts, group, hosts / group)}},
          {"chassis", "chassis", {equal_parts(hosts, chassis, hosts / chassis)}},
          {"router", "routers", {equal_parts(hosts, router, hosts / router)}}};
}

int dragonfly_site(const DragonflySpec& spec) {
  int site = spec.hosts.empty() ? spec.hosts_per_blade : 0;
  for (const auto& group : spec.hosts)
    for (const int hosts : group) site = std::gcd(site, hosts);
  return site;
}

}  // namespace vtopo::detail
