#include "sim/mapping/grids/grid_problem.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::size_t num_cells(std::span<const GridAxis> axes) {
  std::size_t cells = 1;
  for (const GridAxis& axis : axes) cells *= static_cast<std::size_t>(axis.size);
  return cells;
}

/// Orders in which slow axes step while the fast ones before are done: built from the fastest.
std::vector<int> odometer_order(std::span<const GridAxis> axes, bool turns) {
  std::vector<int> order{0};
  order.reserve(num_cells(axes));
  for (std::size_t a = axes.size(); a-- > 0;) {
    const std::size_t block = order.size();
    for (int c = 1; c < axes[a].size; ++c)
      for (std::size_t i = 0; i < block; ++i)
        order.push_back(order[turns && c % 2 != 0 ? block - 1 - i : i] + c * axes[a].stride);
  }
  return order;
}

/// Walks through the halves, quarters, ... of the enclosing cube; parts outside the grid are left
/// out unseen. Bit j of a part belongs to axis n-1-j.
class CubeWalk {
 public:
  CubeWalk(std::span<const GridAxis> axes, bool hilbert) : hilbert_(hilbert) {
    int largest = 1;
    for (std::size_t a = axes.size(); a-- > 0;) {
      if (axes[a].size > 1) axes_.push_back(axes[a]);
      largest = std::max(largest, axes[a].size);
    }
    levels_ = static_cast<int>(std::bit_width(static_cast<unsigned>(largest - 1)));
    order_.reserve(num_cells(axes));
    low_.resize(axes_.size(), 0);
  }

  std::vector<int> run() {
    visit(levels_ - 1, 0, 0, 0);
    return std::move(order_);
  }

 private:
  using Part = std::uint32_t;

  Part rotated(Part part, unsigned by) const {
    const auto n = static_cast<unsigned>(axes_.size());
    by %= n;
    return by == 0 ? part : ((part << by) | (part >> (n - by))) & ((Part{1} << n) - 1);
  }

  /// Visits a part of side 2^(level+1) that the curve enters at corner `entry` and crosses in
  /// direction `direction` (e and d of Hamilton and Rau-Chaplin).
  void visit(int level, int cell, Part entry, unsigned direction) {
    if (level < 0) {
      order_.push_back(cell);
      return;
    }
    const auto n = static_cast<unsigned>(axes_.size());
    for (Part w = 0; w < Part{1} << n; ++w) {
      const Part part = hilbert_ ? rotated(w ^ (w >> 1), direction + 1) ^ entry : w;
      if (!inside(part, level)) continue;
      const int there = cell + move(part, level, 1);
      const Part even = w == 0 ? 0 : (w - 1) & ~Part{1};
      visit(level - 1, there, entry ^ rotated(even ^ (even >> 1), direction + 1),
            (direction + turn(w) + 1) % n);
      move(part, level, -1);
    }
  }

  unsigned turn(Part w) const {
    if (w == 0) return 0;
    const Part bits = w % 2 == 0 ? w - 1 : w;
    return static_cast<unsigned>(std::countr_one(bits)) % static_cast<unsigned>(axes_.size());
  }

  bool inside(Part part, int level) const {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if ((part >> a & 1) != 0 && low_[a] + (std::int64_t{1} << level) >= axes_[a].size)
        return false;
    return true;
  }

  /// Moves the low corner into a part or back. @returns what that adds to the number of the cell.
  int move(Part part, int level, int sign) {
    int added = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if ((part >> a & 1) == 0) continue;
      low_[a] += sign * (1 << level);
      added += sign * (1 << level) * axes_[a].stride;
    }
    return added;
  }

  bool hilbert_;
  int levels_ = 0;
  std::vector<GridAxis> axes_;  ///< of size > 1, fastest first
  std::vector<int> low_;        ///< corner of the part at hand
  std::vector<int> order_;
};

}  // namespace

std::vector<int> row_major_order(std::span<const GridAxis> axes) {
  return odometer_order(axes, false);
}

std::vector<int> snake_order(std::span<const GridAxis> axes) {
  return odometer_order(axes, true);
}

std::vector<int> hilbert_order(std::span<const GridAxis> axes) {
  return CubeWalk(axes, true).run();
}

std::vector<int> morton_order(std::span<const GridAxis> axes) {
  return CubeWalk(axes, false).run();
}

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
  if (usable.num_slots() <= max_slots && host_grid(problem.network, usable)) return std::nullopt;
  return "needs hosts of a torus or mesh that fill a box, with the same number of slots on every "
         "router";
}

std::optional<std::string> grid_unsupported_reason(const MappingProblem& problem) {
  if (!problem.grid) return "needs a Cartesian virtual topology, such as cart:8x8";
  return host_grid_unsupported_reason(problem);
}

HostGrid host_grid_of(const MappingProblem& problem) {
  return host_grid(problem.network, usable_part(problem)).value();
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

namespace {

/// The guest with its ranks called by their cells.
CommGraph renamed(const CommGraph& guest, const std::vector<Rank>& cell_of) {
  std::vector<DirectedEdge> edges;
  edges.reserve(guest.num_edges());
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back(
        {cell_of[index(source)], cell_of[index(edge.destination)], edge.volume, edge.messages});
  });
  return CommGraph(guest.num_ranks(), edges);
}

/// Deals the cells of a grid to the parts of a host hierarchy: each half takes one end of the
/// longest side.
class CellHalving {
 public:
  CellHalving(const Cartesian& grid, const HostHierarchy& hierarchy)
      : grid_(grid), parts_(hierarchy.parts), part_of_(static_cast<std::size_t>(grid.num_ranks())) {
    std::vector<int> cells(part_of_.size());
    std::iota(cells.begin(), cells.end(), 0);
    deal(0, cells);
  }

  const std::vector<int>& part_of() const { return part_of_; }

 private:
  void deal(int part, std::span<int> cells) {
    const HostPart& at = parts_[static_cast<std::size_t>(part)];
    if (at.is_host()) {
      for (const int cell : cells) part_of_[static_cast<std::size_t>(cell)] = part;
      return;
    }
    const HostPart& zero = parts_[static_cast<std::size_t>(at.halves[0])];
    const auto size = static_cast<std::size_t>(zero.ranks);
    if (size > 0 && size < cells.size()) {
      const std::size_t d = longest_side(cells);
      const auto along = [&](int cell) { return coordinate(cell, d); };
      std::stable_sort(cells.begin(), cells.end(),
                       [&](int a, int b) { return along(a) < along(b); });
    }
    if (size > 0) deal(at.halves[0], cells.first(size));
    if (size < cells.size()) deal(at.halves[1], cells.subspan(size));
  }

  int coordinate(int cell, std::size_t d) const {
    return cell / grid_.strides()[d] % grid_.dimensions()[d].size;
  }

  std::size_t longest_side(std::span<const int> cells) const {
    std::size_t longest = 0;
    int most = -1;
    for (std::size_t d = 0; d < grid_.dimensions().size(); ++d) {
      const auto [least, greatest] =
          std::minmax_element(cells.begin(), cells.end(),
                              [&](int a, int b) { return coordinate(a, d) < coordinate(b, d); });
      const int extent = coordinate(*greatest, d) - coordinate(*least, d);
      if (extent > most) longest = d, most = extent;
    }
    return longest;
  }

  const Cartesian& grid_;
  const std::vector<HostPart>& parts_;
  std::vector<int> part_of_;
};

}  // namespace

std::optional<Embedding> lattice_embedding(const MappingProblem& problem) {
  const auto lattice = find_lattice(Partners(problem.guest));
  if (!lattice) return std::nullopt;
  const CommGraph guest = renamed(problem.guest, lattice->cell_of);
  MappingProblem cells{guest, problem.network, problem.allocation, &lattice->grid, problem.seed};
  cells.objective = problem.objective;
  const HopTable table(problem.network, problem.allocation);
  const HostHierarchy hierarchy =
      host_hierarchy(problem.network, problem.allocation, table, guest.num_ranks());
  Embedding best =
      hierarchy.embedding(CellHalving(lattice->grid, hierarchy).part_of(), problem.allocation);
  if (!grid_unsupported_reason(cells)) {
    Embedding folded = run_mapper({mapper_of(MapperRole::grid_layout).name, {}}, cells);
    if (cost_of(problem.objective, guest, problem.network, folded) <
        cost_of(problem.objective, guest, problem.network, best))
      best = std::move(folded);
  }
  std::vector<HostId> hosts;
  hosts.reserve(lattice->cell_of.size());
  for (const Rank cell : lattice->cell_of) hosts.push_back(best.host_of(cell));
  return Embedding(std::move(hosts), problem.allocation);
}

}  // namespace vtopo::detail
