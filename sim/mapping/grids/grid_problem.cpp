#include "sim/mapping/grids/grid_problem.hpp"

#include <algorithm>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_slots = 1 << 28;

/// The allocation with at most as many slots per host as the guest has ranks.
Allocation usable_part(const MappingProblem& problem) {
  Allocation usable = problem.allocation;
  for (int& slots : usable.slots) slots = std::min(slots, std::max(1, problem.guest.num_ranks()));
  return usable;
}

/// Axis of the hosts that may take a dimension of the guest.
struct HostAxis {
  GridAxis axis;
  bool wraps = false;
  bool taken = false;
};

std::vector<HostAxis> host_axes(const HostGrid& host) {
  std::vector<HostAxis> axes;
  int stride = host.capacity;
  for (const HostDimension& dimension : host.dimensions) {
    if (dimension.size > 1) axes.push_back({{dimension.size, stride}, dimension.wraps});
    stride *= dimension.size;
  }
  if (host.capacity > 1) axes.push_back({{host.capacity, 1}, true});
  return axes;
}

std::vector<int> with_slots(const std::vector<int>& cells, int capacity) {
  std::vector<int> slots;
  slots.reserve(cells.size() * static_cast<std::size_t>(capacity));
  for (const int first : cells)
    for (int slot = 0; slot < capacity; ++slot) slots.push_back(first + slot);
  return slots;
}

}  // namespace

std::vector<GridAxis> GridProblem::cell_axes() const {
  std::vector<GridAxis> axes;
  int stride = host.capacity;
  for (const HostDimension& dimension : host.dimensions) {
    axes.push_back({dimension.size, stride});
    stride *= dimension.size;
  }
  return axes;
}

std::optional<std::string> host_grid_unsupported_reason(const MappingProblem& problem) {
  const Allocation usable = usable_part(problem);
  if (usable.num_slots() <= max_slots && host_grid(problem.host, usable)) return std::nullopt;
  return "needs hosts of a torus or mesh that fill a box, with the same number of slots on every "
         "router";
}

std::optional<std::string> grid_unsupported_reason(const MappingProblem& problem) {
  if (!problem.grid) return "needs a Cartesian virtual topology, such as cart:8x8";
  return host_grid_unsupported_reason(problem);
}

HostGrid host_grid_of(const MappingProblem& problem) {
  return host_grid(problem.host, usable_part(problem)).value();
}

GridProblem grid_problem(const MappingProblem& problem) {
  GridProblem grids{{}, host_grid_of(problem)};
  const auto dimensions = problem.grid->dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    grids.guest.push_back({dimensions[d].size, problem.grid->strides()[d]});
  return grids;
}

std::optional<std::vector<GridAxis>> matching_host_axes(const Cartesian& guest,
                                                        const HostGrid& host) {
  std::vector<HostAxis> axes = host_axes(host);
  std::vector<std::optional<GridAxis>> found(guest.dimensions().size());
  std::size_t taken = 0;
  for (const bool same_wrap : {true, false}) {
    for (std::size_t d = 0; d < found.size(); ++d) {
      const Dimension& dimension = guest.dimensions()[d];
      if (found[d]) continue;
      if (dimension.size == 1) {
        found[d] = GridAxis{1, 0};
        continue;
      }
      const auto axis = std::find_if(axes.begin(), axes.end(), [&](const HostAxis& candidate) {
        return !candidate.taken && candidate.axis.size == dimension.size &&
               (!same_wrap || candidate.wraps == dimension.periodic());
      });
      if (axis == axes.end()) continue;
      axis->taken = true;
      ++taken;
      found[d] = axis->axis;
    }
  }
  std::vector<GridAxis> result;
  for (const auto& axis : found) {
    if (!axis) return std::nullopt;
    result.push_back(*axis);
  }
  if (taken != axes.size()) return std::nullopt;
  return result;
}

Embedding map_along(const MappingProblem& problem, GridCurve curve) {
  return map_along(problem, grid_problem(problem), curve);
}

Embedding map_along(const MappingProblem& problem, const GridProblem& grids, GridCurve curve) {
  const auto matching = matching_host_axes(*problem.grid, grids.host);
  const std::vector<int> slots =
      matching ? curve(*matching) : with_slots(curve(grids.cell_axes()), grids.host.capacity);
  const std::vector<int> ranks = curve(grids.guest);
  std::vector<HostId> hosts(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i)
    hosts[static_cast<std::size_t>(ranks[i])] =
        grids.host.slot_hosts[static_cast<std::size_t>(slots[i])];
  return {std::move(hosts), problem.allocation};
}

}  // namespace vtopo::detail
