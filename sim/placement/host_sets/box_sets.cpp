#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/placement/host_sets/candidate_sets.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

using Sides = std::vector<int>;

constexpr int origins_per_shape = 4;

/// Boxes of at least `volume` routers of which no side can be shorter, except the last one's.
void add_shapes(const HostCoordinates& grid, std::int64_t volume, Sides& sides,
                std::vector<Sides>& shapes) {
  const std::size_t axis = sides.size();
  if (axis + 1 == grid.axes.size()) {
    const std::int64_t last = std::max<std::int64_t>(volume, 1);
    if (last > grid.axes[axis].size) return;
    sides.push_back(narrow<int>(last));
    shapes.push_back(sides);
    sides.pop_back();
    return;
  }
  for (int side = 1; side <= grid.axes[axis].size; ++side) {
    sides.push_back(side);
    add_shapes(grid, (volume + side - 1) / side, sides, shapes);
    sides.pop_back();
  }
}

/// What a box spans: routers beyond the job's, then the hops between its corners.
std::pair<std::int64_t, std::int64_t> span_of(const HostCoordinates& grid, const Sides& sides) {
  std::int64_t volume = 1, corner = 0;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    volume *= sides[a];
    corner += grid.axes[a].kind == AxisKind::complete ? std::min(sides[a] - 1, 1) : sides[a] - 1;
  }
  return {corner, volume};
}

/// Slots that are free in the boxes of one shape, by the router at their lowest corner.
std::vector<std::int64_t> slots_in_boxes(const HostCoordinates& grid, const Sides& sides,
                                         std::vector<std::int64_t> slots) {
  std::int64_t stride = 1;
  std::vector<std::int64_t> line, sums;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    const auto [size, kind] = grid.axes[a];
    const std::int64_t block = stride * size;
    line.resize(index(size));
    sums.resize(index(size));
    for (std::int64_t start = 0; start < static_cast<std::int64_t>(slots.size()); ++start) {
      if (start % block >= stride) continue;
      for (int x = 0; x < size; ++x)
        line[index(x)] = slots[static_cast<std::size_t>(start + x * stride)];
      std::int64_t sum = std::accumulate(line.begin(), line.begin() + sides[a], std::int64_t{0});
      for (int x = 0; x < size; ++x) {
        const bool fits = kind == AxisKind::ring || x + sides[a] <= size;
        sums[index(x)] = fits ? sum : 0;
        sum += line[index((x + sides[a]) % size)] - line[index(x)];
      }
      for (int x = 0; x < size; ++x)
        slots[static_cast<std::size_t>(start + x * stride)] = sums[index(x)];
    }
    stride = block;
  }
  return slots;
}

/// Routers of a box, its first axis fastest.
std::vector<std::int64_t> routers_of(const HostCoordinates& grid, const Sides& sides,
                                     std::int64_t origin) {
  std::vector<std::int64_t> routers{0};
  std::int64_t stride = 1;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    const int size = grid.axes[a].size;
    const auto corner = origin / stride % size;
    std::vector<std::int64_t> longer;
    for (int x = 0; x < sides[a]; ++x)
      for (const std::int64_t router : routers)
        longer.push_back(router + (corner + x) % size * stride);
    routers = std::move(longer);
    stride *= size;
  }
  return routers;
}

/// Free positions by router.
std::vector<std::vector<int>> free_by_router(const FreeHosts& from, const HostCoordinates& grid) {
  std::vector<std::vector<int>> result(index(from.network.num_hosts() / grid.hosts_per_router));
  for (int p = 0; p < from.size(); ++p)
    result[index(number(from.host(p)) / grid.hosts_per_router)].push_back(p);
  return result;
}

}  // namespace

std::vector<HostSet> box_sets(const FreeHosts& from, int most) {
  const auto grid = from.network.coordinates();
  if (!grid || grid->axes.empty()) return {};
  const auto at = free_by_router(from, *grid);
  std::vector<std::int64_t> slots(at.size());
  for (std::size_t r = 0; r < at.size(); ++r)
    for (const int position : at[r]) slots[r] += from.slots(position);
  const std::int64_t largest = *std::max_element(slots.begin(), slots.end());
  std::vector<Sides> shapes;
  Sides sides;
  add_shapes(*grid, (from.ranks + largest - 1) / largest, sides, shapes);
  std::stable_sort(shapes.begin(), shapes.end(), [&](const Sides& a, const Sides& b) {
    return span_of(*grid, a) < span_of(*grid, b);
  });
  std::vector<HostSet> sets;
  for (const Sides& shape : shapes) {
    if (int_size(sets) >= most) break;
    const auto sums = slots_in_boxes(*grid, shape, slots);
    std::vector<std::size_t> origins;
    for (std::size_t r = 0; r < sums.size(); ++r)
      if (sums[r] >= from.ranks) origins.push_back(r);
    const std::size_t chosen = std::min<std::size_t>(origins.size(), origins_per_shape);
    for (std::size_t i = 0; i < chosen; ++i) {
      std::vector<int> order;
      for (const std::int64_t router : routers_of(
               *grid, shape, static_cast<std::int64_t>(origins[i * origins.size() / chosen])))
        order.insert(order.end(), at[static_cast<std::size_t>(router)].begin(),
                     at[static_cast<std::size_t>(router)].end());
      if (auto set = take_hosts(from, order)) sets.push_back(std::move(*set));
    }
  }
  return sets;
}

}  // namespace vtopo::detail
