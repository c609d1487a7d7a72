#include "netmodels/models/dragonfly/layout.hpp"

#include <algorithm>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::int64_t counted(std::int64_t count) {
  if (count > max_id)
    throw UsageError("dragonfly with more than 2147483647 hosts, routers or directed links");
  return count;
}

/// `spec` itself, once nothing that is computed from its numbers can overflow.
const DragonflySpec& checked(const DragonflySpec& spec) {
  for (const int count : {spec.groups, spec.blue_links, spec.chassis, spec.black_links, spec.blades,
                          spec.green_links, spec.hosts_per_blade, spec.cables_per_pair})
    if (count < 1) throw UsageError(fmt::format("dragonfly number {}: each must be >= 1", count));
  // A route is the best over all cables of a pair of groups: each costs time, on every route.
  constexpr int max_cables = 1024;
  if (spec.cables_per_pair > max_cables)
    throw UsageError(
        fmt::format("dragonfly with {} cables between two groups: accepted are 1 to {}",
                    spec.cables_per_pair, max_cables));
  const std::int64_t per_group = counted(std::int64_t{spec.chassis} * spec.blades);
  counted(counted(per_group * spec.groups) * spec.hosts_per_blade);
  counted(counted(std::int64_t{spec.groups} * (spec.groups - 1)) * spec.cables_per_pair);
  // SimGrid's arrangement adds a group's number to a router's.
  counted(per_group + spec.groups + spec.cables_per_pair);
  return spec;
}

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

DragonflyLayout::DragonflyLayout(const DragonflySpec& spec)
    : groups_(checked(spec).groups),
      chassis_(spec.chassis),
      blades_(spec.blades),
      cables_(spec.cables_per_pair),
      routers_per_group_(spec.chassis * spec.blades),
      arrangements_{DragonflyArrangement(spec)},
      hosts_per_blade_(spec.hosts_per_blade),
      per_group_(routers_per_group_) {
  if (!spec.hosts.empty()) place_unequal(spec);
  const std::int64_t routers = num_routers();
  if (has_equal_groups()) num_hosts_ = narrow<int>(routers * spec.hosts_per_blade);
  first_green_ = narrow<int>(counted(2 * std::int64_t{num_hosts_}));
  for (int& green : green_of_) green += first_green_;
  first_black_ = has_equal_groups() ? narrow<int>(counted(first_green_ + routers * (blades_ - 1)))
                                    : green_of_.back();
  first_blue_ = narrow<int>(counted(first_black_ + routers * (chassis_ - 1)));
  num_links_ = narrow<int>(counted(first_blue_ + std::int64_t{groups_} * (groups_ - 1) * cables_));
  positions_.reserve(static_cast<std::size_t>(routers_per_group_));
  for (int chassis = 0; chassis < chassis_; ++chassis)
    for (int blade = 0; blade < blades_; ++blade) positions_.push_back({chassis, blade});
}

void DragonflyLayout::place_unequal(const DragonflySpec& spec) {
  if (spec.chassis != 1)
    throw UsageError(
        fmt::format("dragonfly of unequal groups with {} chassis: accepted is 1, as "
                    "all routers of a group are joined",
                    spec.chassis));
  if (int_size(spec.hosts) != groups_)
    throw UsageError(
        fmt::format("hosts of {} groups for a dragonfly of {} groups", spec.hosts.size(), groups_));
  arrangements_.clear();
  first_router_ = {0};
  // Checked by the counts of equal groups of the largest size, which may not be these: 2 H + R B.
  counted(2 * std::int64_t{groups_} * blades_ * spec.hosts_per_blade +
          std::int64_t{groups_} * blades_ * (blades_ - 1));
  green_of_ = {0};
  for (int group = 0; group < groups_; ++group) {
    const auto& routers = spec.hosts[static_cast<std::size_t>(group)];
    if (routers.empty() || int_size(routers) > blades_)
      throw UsageError(fmt::format("group {} of a dragonfly with {} routers: accepted are 1 to {}",
                                   group, routers.size(), blades_));
    for (const int hosts : routers) {
      if (hosts < 0 || hosts > spec.hosts_per_blade)
        throw UsageError(
            fmt::format("router of group {} of a dragonfly with {} hosts: accepted are 0 to {}",
                        group, hosts, spec.hosts_per_blade));
      router_of_.insert(router_of_.end(), static_cast<std::size_t>(hosts), int_size(group_of_));
      group_of_.push_back(group);
      green_of_.push_back(green_of_.back() + int_size(routers) - 1);
    }
    first_router_.push_back(int_size(group_of_));
    DragonflySpec of_this_size = spec;
    of_this_size.blades = int_size(routers);
    arrangements_.emplace_back(of_this_size);
  }
  if (router_of_.empty()) throw UsageError("a dragonfly needs at least one host");
  num_hosts_ = int_size(router_of_);
}

int DragonflyLayout::hosts_of(int router_number) const {
  if (has_equal_groups()) return num_hosts_ / num_routers();
  const auto [first, end] = std::equal_range(router_of_.begin(), router_of_.end(), router_number);
  return narrow<int>(end - first);
}

DragonflyColour DragonflyLayout::colour(LinkId link) const {
  const int id = number(link);
  if (id < first_green_) return DragonflyColour::host;
  if (id < first_black_) return DragonflyColour::green;
  return id < first_blue_ ? DragonflyColour::black : DragonflyColour::blue;
}

std::int64_t DragonflyLayout::links_of(DragonflyColour colour) const {
  switch (colour) {
    case DragonflyColour::host:
      return first_green_;
    case DragonflyColour::green:
      return first_black_ - first_green_;
    case DragonflyColour::black:
      return first_blue_ - first_black_;
    case DragonflyColour::blue:
      break;
  }
  return num_links_ - first_blue_;
}

LinkEnds DragonflyLayout::link_ends(LinkId link) const {
  const int id = number(link);
  switch (colour(link)) {
    case DragonflyColour::host:
      return host_link_ends(id);
    case DragonflyColour::green:
      return green_link_ends(id - first_green_);
    case DragonflyColour::black:
      return black_link_ends(id - first_black_);
    case DragonflyColour::blue:
      break;
  }
  return blue_link_ends(id - first_blue_);
}

LinkEnds DragonflyLayout::host_link_ends(int id) const {
  const int host = id / 2;
  const int router = num_hosts_ + router_number(HostId{host});
  return id % 2 == 0 ? LinkEnds{host, router} : LinkEnds{router, host};
}

LinkEnds DragonflyLayout::green_link_ends(int position) const {
  if (!has_equal_groups()) {
    const int link = position + first_green_;
    // The last router whose links begin no later: one without any begins where the next does.
    const auto next = std::upper_bound(green_of_.begin(), green_of_.end() - 1, link);
    const int from = narrow<int>(next - green_of_.begin()) - 1;
    const int own = router(from).blade;
    const int blade = other_at(own, link - green_of_[static_cast<std::size_t>(from)]);
    return {num_hosts_ + from, num_hosts_ + from + blade - own};
  }
  const int from = position / (blades_ - 1);
  const int own = router(from).blade;
  const int blade = other_at(own, position % (blades_ - 1));
  return {num_hosts_ + from, num_hosts_ + from + blade - own};
}

LinkEnds DragonflyLayout::black_link_ends(int position) const {
  const int from = position / (chassis_ - 1);
  const int own = router(from).chassis;
  const int chassis = other_at(own, position % (chassis_ - 1));
  return {num_hosts_ + from, num_hosts_ + from + (chassis - own) * blades_};
}

LinkEnds DragonflyLayout::blue_link_ends(int position) const {
  const int cable = position % cables_;
  const int group = position / cables_ / (groups_ - 1);
  const int other = other_at(group, position / cables_ % (groups_ - 1));
  return {num_hosts_ + number_of(gateway(group, other, cable)),
          num_hosts_ + number_of(gateway(other, group, cable))};
}

}  // namespace vtopo::detail
