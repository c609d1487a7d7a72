#include "sim/mapping/host_grid.hpp"

#include <algorithm>
#include <variant>

#include "topology/narrow.hpp"

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

  const auto cells = static_cast<std::size_t>(box.volume());
  std::vector<std::vector<HostId>> slots(cells);
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots[routers.cell(box, routers.of(allocation.hosts[i]))].insert(
        slots[routers.cell(box, routers.of(allocation.hosts[i]))].end(),
        static_cast<std::size_t>(allocation.slots[i]), allocation.hosts[i]);
  HostGrid grid;
  grid.capacity = int_size(slots.front());
  for (const auto& cell : slots) {
    if (int_size(cell) != grid.capacity) return std::nullopt;
    grid.slot_hosts.insert(grid.slot_hosts.end(), cell.begin(), cell.end());
  }
  for (std::size_t d = 0; d < torus->dimensions.size(); ++d) {
    const int size = box.high[d] - box.low[d] + 1;
    grid.dimensions.push_back(
        {size, torus->dimensions[d].wraps && size == torus->dimensions[d].size});
  }
  return grid;
}

}  // namespace vtopo
