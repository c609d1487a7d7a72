#include <algorithm>
#include <cstdint>
#include <variant>

#include "netmodels/models/dragonfly/layout.hpp"
#include "sim/evaluation/bounds/host_profiles.hpp"

namespace vtopo {

namespace {

/// Entry h: hosts at h hops from one that has the most of them near, itself included.
using HostsAt = std::vector<std::int64_t>;

/// Routers by their distance along one dimension, from the middle if it does not wrap.
HostsAt line(const TorusDimension& dimension) {
  HostsAt at{1};
  const int middle = dimension.wraps ? 0 : (dimension.size - 1) / 2;
  for (int c = 0; c < dimension.size; ++c) {
    int distance = c > middle ? c - middle : middle - c;
    if (dimension.wraps) distance = std::min(distance, dimension.size - distance);
    if (distance == 0) continue;
    at.resize(std::max(at.size(), index(distance) + 1), 0);
    ++at[index(distance)];
  }
  return at;
}

/// Sums of two distances, as far as `count` hosts are.
HostsAt sums(const HostsAt& a, const HostsAt& b, std::int64_t count) {
  HostsAt at;
  std::int64_t found = 0;
  for (std::size_t h = 0; h + 1 < a.size() + b.size() && found <= count; ++h) {
    at.push_back(0);
    for (std::size_t i = h + 1 > b.size() ? h + 1 - b.size() : 0; i <= h && i < a.size(); ++i)
      at.back() += a[i] * b[h - i];
    found += at.back();
  }
  return at;
}

HostsAt hosts_at(const TorusSpec& spec, const Network&, std::int64_t count) {
  HostsAt at{1};
  for (const TorusDimension& dimension : spec.dimensions) at = sums(at, line(dimension), count);
  if (spec.hosts_per_router == 1) return at;
  HostsAt hosts{1, 0};
  for (const std::int64_t routers : at) hosts.push_back(routers * spec.hosts_per_router);
  --hosts[2];
  return hosts;
}

HostsAt hosts_at(const FatTreeSpec& spec, const Network&, std::int64_t) {
  HostsAt at{1};
  std::int64_t below = 1;
  for (const FatTreeLevel& level : spec.levels) {
    at.push_back(0);
    at.push_back(below * (level.children - 1));
    below *= level.children;
  }
  return at;
}

/// Two hops within a router, one more per local link; three to the routers at the other ends of a
/// router's blue cables, of which no router has more than `blue`.
HostsAt hosts_at(const DragonflySpec& spec, const Network& network, std::int64_t) {
  if (spec.routing.simgrid_compatible) return {};
  const DragonflyLayout layout(spec);
  std::vector<std::int64_t> blue(index(layout.num_routers()), 0);
  for (int l = 0; l < network.num_links(); ++l)
    if (layout.colour(LinkId{l}) == DragonflyColour::blue)
      ++blue[index(layout.link_ends(LinkId{l}).from - layout.num_hosts())];
  const std::int64_t most = *std::max_element(blue.begin(), blue.end());
  const std::int64_t hosts = spec.hosts_per_blade;
  const std::int64_t direct = spec.blades - 1 + spec.chassis - 1;
  const std::int64_t near = std::min<std::int64_t>(direct + most, layout.num_routers() - 1);
  return {1, 0, hosts - 1, hosts * near, hosts * (layout.num_routers() - 1 - near)};
}

HostsAt hosts_at(std::monostate, const Network&, std::int64_t) {
  return {};
}

}  // namespace

HostProfile nearest_by_shape(const Network& network, int slots, std::size_t count) {
  const HostsAt at = std::visit(
      [&](const auto& spec) {
        return hosts_at(spec, network, static_cast<std::int64_t>(count) + 1);
      },
      network.shape());
  HostProfile nearest;
  for (std::size_t h = 0; h < at.size(); ++h)
    for (std::int64_t i = h == 0 ? 1 : 0; i < at[h] * slots && nearest.size() < count; ++i)
      nearest.push_back(static_cast<int>(h));
  if (nearest.size() < count) nearest.clear();
  return nearest;
}

}  // namespace vtopo
