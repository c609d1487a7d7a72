#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/mapping/more_mappers/layouts/tiles.hpp"

namespace vtopo::detail::mappers {

namespace {

/// A box of the grid that fills the hosts from `position` on.
struct FilledBox {
  std::vector<int> low;   ///< coordinates
  std::vector<int> side;  ///< ranks, one entry per dimension
  int position = 0;       ///< in the fill order
  int size = 1;           ///< ranks
};

/// Where a box is cut: the part with the lower coordinates comes first in the fill order.
struct Cut {
  std::size_t dimension = 0;
  int first = 0;  ///< side of the first part
};

/// Cuts boxes in two until each spans at most two hosts.
class PlaneBisection {
 public:
  PlaneBisection(const Cartesian& grid, const GuestStencil& stencil, const HostFill& fill)
      : grid_(grid), fill_(fill) {
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d)
      // Rounded, so that sums in another order are still equal.
      parallelism_.push_back(std::llround(stencil.parallelism(d) * 1e6));
    order_.reserve(static_cast<std::size_t>(grid.num_ranks()));
  }

  FillOrder run() {
    FilledBox whole;
    whole.low.assign(grid_.dimensions().size(), 0);
    for (const Dimension& dimension : grid_.dimensions()) whole.side.push_back(dimension.size);
    whole.size = grid_.num_ranks();
    bisect(std::move(whole));
    return std::move(order_);
  }

 private:
  void bisect(FilledBox box) {
    const auto preferred = preferred_dimensions(box);
    if (fill_.host_at(box.position + box.size - 1) <= fill_.host_at(box.position) + 1)
      return append(box, preferred);
    const Cut cut = find_cut(box, preferred);
    FilledBox second = box;
    const int plane = box.size / box.side[cut.dimension];
    box.side[cut.dimension] = cut.first;
    box.size = plane * cut.first;
    second.low[cut.dimension] += cut.first;
    second.side[cut.dimension] -= cut.first;
    second.size -= box.size;
    second.position += box.size;
    bisect(std::move(box));
    bisect(std::move(second));
  }

  /// Least communication across the plane first, then the longest side.
  std::vector<std::size_t> preferred_dimensions(const FilledBox& box) const {
    std::vector<std::size_t> order(box.side.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (parallelism_[a] != parallelism_[b]) return parallelism_[a] < parallelism_[b];
      return box.side[a] > box.side[b];
    });
    return order;
  }

  /// The cut closest to the middle of the most preferred dimension that has one where a host
  /// begins; else the middle of the most preferred one.
  Cut find_cut(const FilledBox& box, const std::vector<std::size_t>& preferred) const {
    for (const std::size_t d : preferred)
      for (int smaller = box.side[d] / 2; smaller >= 1; --smaller) {
        // Upper half of the grid: the larger part first.
        const bool upper = box.low[d] + box.side[d] / 2 >= grid_.dimensions()[d].size / 2;
        const int larger = box.side[d] - smaller;
        for (const int first : {upper ? larger : smaller, upper ? smaller : larger})
          if (fill_.is_boundary(box.position + box.size / box.side[d] * first)) return {d, first};
      }
    const auto d = *std::find_if(preferred.begin(), preferred.end(),
                                 [&](std::size_t dim) { return box.side[dim] > 1; });
    return {d, box.side[d] / 2};
  }

  /// Fills the box in row-major order, the most preferred dimension slowest.
  void append(const FilledBox& box, const std::vector<std::size_t>& preferred) {
    std::vector<int> at(box.side.size(), 0);
    for (int i = 0; i < box.size; ++i) {
      int rank = 0;
      for (std::size_t d = 0; d < at.size(); ++d) rank += (box.low[d] + at[d]) * grid_.strides()[d];
      order_.push_back(Rank{rank});
      for (std::size_t k = at.size(); k-- > 0;) {
        if (++at[preferred[k]] < box.side[preferred[k]]) break;
        at[preferred[k]] = 0;
      }
    }
  }

  const Cartesian& grid_;
  const HostFill& fill_;
  std::vector<long long> parallelism_;  ///< one entry per dimension, in millionths
  FillOrder order_;
};

Embedding map_hyperplane(const MappingProblem& problem, const SearchControl&) {
  const GuestStencil stencil(problem.guest, *problem.grid);
  const HostFill fill(problem.allocation, problem.grid->num_ranks());
  return fill_hosts(PlaneBisection(*problem.grid, stencil, fill).run(), problem.allocation);
}

}  // namespace

/// Cuts the grid in two by planes orthogonal to the dimension that least of the stencil is parallel
/// to, as close to the middle as whole hosts on both sides allow, until a part spans two hosts. The
/// slots may differ: a plane is where a host begins; where no plane is, the middle is cut.
/// S. Hunold, K. von Kirchbach, M. Lehr, C. Schulz, J. L. Träff, "Efficient Process-to-Node Mapping
/// Algorithms for Stencil Computations" (CLUSTER 2020), section V.A.
MapperInfo hyperplane() {
  return {.name = "hyperplane",
          .summary = "cuts the grid in two by planes that keep hosts whole",
          .reference = "Hunold et al., CLUSTER 2020",
          .unsupported_reason = grid_missing,
          .map = map_hyperplane,
          .work = {.microseconds_per_rank = 0.02, .microseconds_per_edge = 0.002}};
}

}  // namespace vtopo::detail::mappers
