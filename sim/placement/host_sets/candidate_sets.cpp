#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/placement/host_sets/host_sets.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Up to `most` of 0..count-1, evenly spread.
std::vector<int> spread(int count, int most) {
  const int chosen = std::min(count, most);
  std::vector<int> result(index(std::max(chosen, 0)));
  for (int i = 0; i < chosen; ++i) result[index(i)] = narrow<int>(std::int64_t{i} * count / chosen);
  return result;
}

void add_taken(const FreeHosts& from, std::span<const int> order, std::vector<HostSet>& sets) {
  if (auto set = take_hosts(from, order)) sets.push_back(std::move(*set));
}

/// Bins one after the other, from `first` on, and around.
std::vector<int> joined(const std::vector<std::vector<int>>& bins, int first, int count) {
  std::vector<int> order;
  for (int i = 0; i < count; ++i) {
    const auto& bin = bins[index((first + i) % int_size(bins))];
    order.insert(order.end(), bin.begin(), bin.end());
  }
  return order;
}

/// One of each bin in turn.
std::vector<int> dealt(const std::vector<std::vector<int>>& bins, int count) {
  std::vector<int> order;
  for (std::size_t i = 0; true; ++i) {
    const std::size_t before = order.size();
    for (int b = 0; b < count; ++b)
      if (i < bins[index(b)].size()) order.push_back(bins[index(b)][i]);
    if (order.size() == before) return order;
  }
}

void add_part_sets(const FreeHosts& from, const HostPartition& partition, int most,
                   std::vector<HostSet>& sets) {
  auto bins = free_by_part(from, partition);
  std::erase_if(bins, [](const auto& bin) { return bin.empty(); });
  const int count = int_size(bins);
  std::vector<HostSet> within;
  for (const auto& bin : bins) add_taken(from, bin, within);
  for (const int i : spread(int_size(within), most)) sets.push_back(within[index(i)]);
  for (const int first : spread(count, most)) add_taken(from, joined(bins, first, count), sets);
  std::stable_sort(bins.begin(), bins.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  add_taken(from, joined(bins, 0, count), sets);
  for (int parts = 2; parts < 2 * count; parts *= 2)
    add_taken(from, dealt(bins, std::min(parts, count)), sets);
}

/// Always the free host with the fewest hops to those that are in, ties: the first.
std::vector<int> grow(const FreeHosts& from, int seed, int count) {
  std::vector<std::int64_t> sum(index(from.size()));
  std::vector<int> hops(index(from.size())), order{seed};
  while (int_size(order) < count) {
    from.network.hops_from(from.host(order.back()), from.free.hosts, hops);
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += hops[p];
    sum[index(order.back())] = std::numeric_limits<std::int64_t>::max() / 2;
    order.push_back(narrow<int>(std::min_element(sum.begin(), sum.end()) - sum.begin()));
  }
  return order;
}

std::vector<int> nearest(const FreeHosts& from, int seed) {
  std::vector<int> hops(index(from.size())), order(index(from.size()));
  from.network.hops_from(from.host(seed), from.free.hosts, hops);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return hops[index(a)] < hops[index(b)]; });
  return order;
}

/// Hops that growing may ask for, all seeds together.
constexpr double most_grown_hops = 3e7;

}  // namespace

std::vector<HostSet> consecutive_sets(const FreeHosts& from, int most) {
  std::vector<int> order(index(from.size()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<HostSet> sets;
  for (const int first : spread(from.size(), most))
    add_taken(from, std::span(order).subspan(index(first)), sets);
  return sets;
}

std::vector<HostSet> part_sets(const FreeHosts& from, int most) {
  std::vector<HostSet> sets;
  for (const HostParts& parts : from.network.parts())
    for (const HostPartition& partition : parts.partitions)
      add_part_sets(from, partition, most, sets);
  return sets;
}

std::vector<HostSet> grown_sets(const FreeHosts& from, int seeds) {
  std::vector<HostSet> sets;
  const int count = int_size(first_hosts(from));
  const double hops_of_one = static_cast<double>(count) * from.size();
  const int affordable =
      std::max(1, static_cast<int>(std::min(most_grown_hops / hops_of_one, 1e6)));
  for (const int seed : spread(from.size(), seeds)) add_taken(from, nearest(from, seed), sets);
  for (const int seed : spread(from.size(), std::min(seeds, affordable)))
    add_taken(from, grow(from, seed, count), sets);
  return sets;
}

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
