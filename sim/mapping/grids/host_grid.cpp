#include "sim/mapping/grids/host_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Smallest box around some routers of a grid.
struct Box {
  std::vector<int> low, high;

  explicit Box(std::size_t dimensions) : low(dimensions, 2147483647), high(dimensions, -1) {}

  std::int64_t volume() const {
    std::int64_t cells = 1;
    for (std::size_t d = 0; d < low.size(); ++d) cells *= high[d] - low[d] + 1;
    return cells;
  }
};

/// Coordinates of routers, first dimension fastest.
class Routers {
 public:
  explicit Routers(const HostCoordinates& grid) : grid_(grid) {}

  int of(HostId host) const { return number(host) / grid_.hosts_per_router; }

  void extend(Box& box, int router) const {
    for (std::size_t d = 0; d < grid_.axes.size(); ++d) {
      const int c = router % grid_.axes[d].size;
      router /= grid_.axes[d].size;
      box.low[d] = std::min(box.low[d], c);
      box.high[d] = std::max(box.high[d], c);
    }
  }

  std::size_t cell(const Box& box, int router) const {
    std::size_t result = 0, stride = 1;
    for (std::size_t d = 0; d < grid_.axes.size(); ++d) {
      const int c = router % grid_.axes[d].size;
      router /= grid_.axes[d].size;
      result += stride * static_cast<std::size_t>(c - box.low[d]);
      stride *= static_cast<std::size_t>(box.high[d] - box.low[d] + 1);
    }
    return result;
  }

 private:
  const HostCoordinates& grid_;
};

/// Whether the first and the last of `size` positions along an axis are neighbours.
bool joins_ends(const NetworkAxis& axis, int size) {
  return axis.kind == AxisKind::complete || (axis.kind == AxisKind::ring && size == axis.size);
}

}  // namespace

std::optional<HostGrid> host_grid(const Network& network, const Allocation& allocation) {
  const auto coordinates = network.coordinates();
  if (!coordinates || allocation.hosts.empty()) return std::nullopt;
  const Routers routers(*coordinates);
  Box box(coordinates->axes.size());
  for (const HostId host : allocation.hosts) routers.extend(box, routers.of(host));
  if (box.volume() > allocation.num_hosts()) return std::nullopt;

  std::vector<std::size_t> cells;  // one entry per host
  cells.reserve(allocation.hosts.size());
  std::vector<std::int64_t> slots(static_cast<std::size_t>(box.volume()), 0);
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i) {
    cells.push_back(routers.cell(box, routers.of(allocation.hosts[i])));
    slots[cells.back()] += allocation.slots[i];
  }
  HostGrid grid;
  grid.capacity = narrow<int>(std::min(slots.front(), max_id));
  const auto capacity = static_cast<std::size_t>(grid.capacity);
  for (const std::int64_t count : slots)
    if (count != grid.capacity) return std::nullopt;
  grid.slot_hosts.resize(slots.size() * capacity);
  std::fill(slots.begin(), slots.end(), 0);  // now: slots filled
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i) {
    const std::size_t first = cells[i] * capacity + static_cast<std::size_t>(slots[cells[i]]);
    std::fill_n(grid.slot_hosts.begin() + static_cast<std::ptrdiff_t>(first), allocation.slots[i],
                allocation.hosts[i]);
    slots[cells[i]] += allocation.slots[i];
  }
  for (std::size_t d = 0; d < coordinates->axes.size(); ++d) {
    const NetworkAxis& axis = coordinates->axes[d];
    const int size = box.high[d] - box.low[d] + 1;
    grid.dimensions.push_back({size, joins_ends(axis, size)});
  }
  return grid;
}

namespace {

/// Hosts that stay together in what follows.
using Bundle = std::vector<HostId>;

/// Largest divisor of `wanted` of which bundles can be made that many times in the groups.
int bundle_size(const std::vector<std::vector<Bundle>>& groups, int wanted) {
  for (int size = wanted; size > 1; --size) {
    if (wanted % size != 0) continue;
    std::int64_t bundles = 0;
    for (const auto& group : groups) bundles += int_size(group) / size;
    if (bundles >= wanted / size) return size;
  }
  return 1;
}

/// Bundles of each group of a level.
std::vector<std::vector<Bundle>> grouped(std::vector<Bundle> bundles, std::int64_t hosts) {
  std::vector<std::vector<Bundle>> groups;
  std::int64_t last = -1;
  for (Bundle& bundle : bundles) {
    const std::int64_t group = number(bundle.front()) / hosts;
    if (group != last) groups.emplace_back();
    last = group;
    groups.back().push_back(std::move(bundle));
  }
  return groups;
}

std::vector<HostId> repeated(const std::vector<HostId>& hosts, int slots) {
  std::vector<HostId> result;
  for (const HostId host : hosts) result.insert(result.end(), index(slots), host);
  return result;
}

/// The nested groups of the network.
HostRadices nested(const Network& network, std::vector<HostId> hosts, int slots, int wanted) {
  std::sort(hosts.begin(), hosts.end());
  std::vector<Bundle> bundles;
  bundles.reserve(hosts.size());
  for (const HostId host : hosts) bundles.push_back({host});
  HostRadices radices{{}, {slots}, true};
  auto levels = network.hierarchy();
  levels.push_back({network.num_hosts(), 0});
  for (const HostGroups& level : levels) {
    const auto groups = grouped(std::move(bundles), level.hosts);
    const int size = bundle_size(groups, wanted);
    wanted /= size;
    radices.sizes.push_back(size);
    bundles.clear();
    for (const auto& group : groups)
      for (std::size_t b = 0; b + index(size) <= group.size(); b += index(size)) {
        Bundle bundle;
        for (std::size_t i = 0; i < index(size); ++i)
          bundle.insert(bundle.end(), group[b + i].begin(), group[b + i].end());
        bundles.push_back(std::move(bundle));
      }
  }
  radices.slot_hosts = repeated(bundles.front(), slots);
  return radices;
}

}  // namespace

std::vector<HostRadices> host_radices(const Network& network, const Allocation& allocation,
                                      int ranks) {
  const auto& slots = allocation.slots;
  if (std::any_of(slots.begin(), slots.end(), [&](int s) { return s != slots.front(); })) return {};
  if (ranks % slots.front() != 0) return {};
  const int hosts = ranks / slots.front();
  std::vector<HostRadices> result;
  if (auto grid = host_grid(network, allocation); grid && int_size(grid->slot_hosts) == ranks) {
    HostRadices radices{std::move(grid->slot_hosts), {grid->capacity}, true};
    for (const HostDimension& dimension : grid->dimensions) radices.sizes.push_back(dimension.size);
    result.push_back(std::move(radices));
  } else if (!network.coordinates()) {
    result.push_back(nested(network, allocation.hosts, slots.front(), hosts));
  } else {
    std::vector<HostId> first(allocation.hosts.begin(), allocation.hosts.begin() + hosts);
    result.push_back({repeated(first, slots.front()), {slots.front(), hosts}, false});
  }
  return result;
}

}  // namespace vtopo::detail
