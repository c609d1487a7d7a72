#include <algorithm>
#include <cmath>

#include "sim/mapping/box_walk.hpp"
#include "sim/mapping/guest_stencil.hpp"
#include "topology/error.hpp"
#include "topology/text.hpp"

namespace vtopo::mappers {

namespace {

/// Work that trying strip heights may take, in edges looked at: about a second.
constexpr double max_edges_looked_at = 4e8;

/// Strips along `dimensions.back()`, beside one another in the others.
struct StripPlan {
  std::vector<std::size_t> dimensions;  ///< across, in order; along
  std::vector<int> strips;              ///< number across, one entry per dimension but the last
};

/// The dimensions of a grid, its largest (the first of equals) at the end.
std::vector<std::size_t> largest_last(const Cartesian& grid) {
  const auto sizes = grid.dimensions();
  const auto largest =
      std::max_element(sizes.begin(), sizes.end(),
                       [](const Dimension& a, const Dimension& b) { return a.size < b.size; });
  std::vector<std::size_t> dimensions;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (d != static_cast<std::size_t>(largest - sizes.begin())) dimensions.push_back(d);
  if (!sizes.empty()) dimensions.push_back(static_cast<std::size_t>(largest - sizes.begin()));
  return dimensions;
}

/// Strips as high as the d-th root of the ranks per host, stretched as the stencil is; what a
/// height takes of the ranks per host is taken from the next.
StripPlan published_plan(const Cartesian& grid, const GuestStencil& stencil, int ranks_per_host) {
  StripPlan plan{largest_last(grid), {}};
  const auto distortion = stencil.distortion();
  const auto count = static_cast<double>(plan.dimensions.size());
  for (std::size_t k = 0; k + 1 < plan.dimensions.size(); ++k) {
    const std::size_t d = plan.dimensions[k];
    const int size = grid.dimensions()[d].size;
    // The addend keeps whole roots whole.
    const double root = std::pow(ranks_per_host * distortion[d], 1 / count) + 1e-9;
    const int height = std::clamp(static_cast<int>(std::min(root, 1e9)), 1, size);
    plan.strips.push_back(size / height);
    ranks_per_host = std::max(1, ranks_per_host / (size / plan.strips.back()));
  }
  return plan;
}

FillOrder walk_strips(const Cartesian& grid, const StripPlan& plan) {
  std::vector<BoxCuts> cuts(grid.dimensions().size());
  for (std::size_t k = 0; k < plan.dimensions.size(); ++k) {
    const int size = grid.dimensions()[plan.dimensions[k]].size;
    cuts[plan.dimensions[k]] =
        k < plan.strips.size() ? even_cuts(plan.strips[k], size) : cuts_every(1, size);
  }
  return walk_boxes(grid, cuts, plan.dimensions, CellOrder::row_major);
}

/// Adds every plan whose strips have cross sections of at most `ranks_per_host` ranks.
void add_all_plans(const Cartesian& grid, StripPlan& plan, int ranks_per_host, std::size_t most,
                   std::vector<StripPlan>& plans) {
  const std::size_t k = plan.strips.size();
  if (plans.size() >= most) return;
  if (k + 1 >= plan.dimensions.size()) return plans.push_back(plan);
  const int size = grid.dimensions()[plan.dimensions[k]].size;
  int last = 0;
  for (int height = 1; height <= std::min(size, ranks_per_host); ++height) {
    if (size / height == last) continue;  // the same strips again
    last = size / height;
    plan.strips.push_back(last);
    add_all_plans(grid, plan, ranks_per_host / height, most, plans);
    plan.strips.pop_back();
  }
}

FillOrder best_strips(const MappingProblem& problem, const StripPlan& published,
                      const HostFill& fill) {
  const double edges = static_cast<double>(problem.guest.num_edges()) + fill.num_ranks() + 1;
  const auto most = static_cast<std::size_t>(max_edges_looked_at / edges) + 1;
  std::vector<StripPlan> plans{published};
  StripPlan start{published.dimensions, {}};
  add_all_plans(*problem.grid, start, fill.typical_ranks(), most, plans);
  FillOrder best;
  std::optional<LeavingEdges> least;
  for (const StripPlan& plan : plans) {
    FillOrder order = walk_strips(*problem.grid, plan);
    const LeavingEdges leaving = leaving_edges(problem.guest, order, fill);
    if (least && leaving >= *least) continue;
    least = leaving;
    best = std::move(order);
  }
  return best;
}

Embedding map_stencil_strips(const MappingProblem& problem);

}  // namespace

/// Strips of equal height along the largest dimension, walked there and back; hosts take
/// consecutive ranks. S. Hunold, K. von Kirchbach, M. Lehr, C. Schulz, J. L. Träff, "Efficient
/// Process-to-Node Mapping Algorithms for Stencil Computations" (CLUSTER 2020), section V.C.
MapperInfo stencil_strips() {
  return {"stencil_strips",
          "strips along the largest dimension, walked there and back",
          "Hunold et al., CLUSTER 2020",
          map_stencil_strips,
          {{"height", "best (of all, by jsum), root (the paper's), or a number of ranks", "best"}},
          grid_missing};
}

namespace {

Embedding map_stencil_strips(const MappingProblem& problem) {
  const std::string height = option_value(stencil_strips(), problem, "height");
  const HostFill fill(problem.allocation, problem.grid->num_ranks());
  const GuestStencil stencil(problem.guest, *problem.grid);
  StripPlan plan = published_plan(*problem.grid, stencil, fill.typical_ranks());
  if (height == "best") return fill_hosts(best_strips(problem, plan, fill), problem.allocation);
  if (height != "root") {
    const auto value = parse_integer(height);
    if (!value || *value < 1)
      throw UsageError(fmt::format(
          "height \"{}\" of mapper stencil_strips: accepted are best, root and 1, 2, ...", height));
    for (std::size_t k = 0; k < plan.strips.size(); ++k)
      plan.strips[k] = static_cast<int>(
          std::max<std::int64_t>(1, problem.grid->dimensions()[plan.dimensions[k]].size / *value));
  }
  return fill_hosts(walk_strips(*problem.grid, plan), problem.allocation);
}

}  // namespace

}  // namespace vtopo::mappers
