#include "sim/mapping/grids/host_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

/// Smallest box around some routers of a torus.
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
  explicit Routers(const TorusSpec& spec) : spec_(spec) {}

  int of(HostId host) const { return number(host) / spec_.hosts_per_router; }

  void extend(Box& box, int router) const {
    for (std::size_t d = 0; d < spec_.dimensions.size(); ++d) {
      const int c = router % spec_.dimensions[d].size;
      router /= spec_.dimensions[d].size;
      box.low[d] = std::min(box.low[d], c);
      box.high[d] = std::max(box.high[d], c);
    }
  }

  std::size_t cell(const Box& box, int router) const {
    std::size_t result = 0, stride = 1;
    for (std::size_t d = 0; d < spec_.dimensions.size(); ++d) {
      const int c = router % spec_.dimensions[d].size;
      router /= spec_.dimensions[d].size;
      result += stride * static_cast<std::size_t>(c - box.low[d]);
      stride *= static_cast<std::size_t>(box.high[d] - box.low[d] + 1);
    }
    return result;
  }

 private:
  const TorusSpec& spec_;
};

}  // namespace

std::optional<HostGrid> host_grid(const Network& network, const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  if (!torus || allocation.hosts.empty()) return std::nullopt;
  const Routers routers(*torus);
  Box box(torus->dimensions.size());
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
  for (std::size_t d = 0; d < torus->dimensions.size(); ++d) {
    const int size = box.high[d] - box.low[d] + 1;
    grid.dimensions.push_back(
        {size, torus->dimensions[d].wraps && size == torus->dimensions[d].size});
  }
  return grid;
}

}  // namespace vtopo
