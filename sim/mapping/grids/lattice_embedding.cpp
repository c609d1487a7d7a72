#include "sim/mapping/grids/lattice_embedding.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/mapping/grids/grid_problem.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

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
  MappingProblem cells{guest, problem.host, problem.allocation, &lattice->grid, problem.seed};
  cells.objective = problem.objective;
  const HopTable table(problem.host, problem.allocation);
  const HostHierarchy hierarchy =
      host_hierarchy(problem.host, problem.allocation, table, guest.num_ranks());
  Embedding best =
      hierarchy.embedding(CellHalving(lattice->grid, hierarchy).part_of(), problem.allocation);
  if (!grid_unsupported_reason(cells)) {
    Embedding folded = run_mapper({mapper_of(MapperRole::grid_layout).name, {}}, cells);
    if (cost_of(problem.objective, guest, problem.host, folded) <
        cost_of(problem.objective, guest, problem.host, best))
      best = std::move(folded);
  }
  std::vector<HostId> hosts;
  hosts.reserve(lattice->cell_of.size());
  for (const Rank cell : lattice->cell_of) hosts.push_back(best.host_of(cell));
  return Embedding(std::move(hosts), problem.allocation);
}

}  // namespace vtopo::detail
