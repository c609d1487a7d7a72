#include <algorithm>
#include <cmath>

#include "sim/mapping/more_mappers/layouts/tiles.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Work that trying strip heights may take, in edges looked at: about a second.
constexpr double max_edges_looked_at = 4e8;

/// Up to so many ranks the best plan and the published one are compared under the objective.
constexpr int max_ranks_of_two = 65'536;

/// Plans per direction that are thought of at all: grids of many dimensions have more.
constexpr std::size_t max_plans = 4096;

/// Strips along `dimensions.back()`, beside one another in the others.
struct StripPlan {
  std::vector<std::size_t> dimensions;  ///< across, in order; along
  std::vector<int> strips;              ///< number across, one entry per dimension but the last
  double cut = 0;                       ///< estimated edges of a rank that leave its host
};

/// The first of the largest dimensions.
std::size_t largest_dimension(const Cartesian& grid) {
  const auto sizes = grid.dimensions();
  const auto largest =
      std::max_element(sizes.begin(), sizes.end(),
                       [](const Dimension& a, const Dimension& b) { return a.size < b.size; });
  return static_cast<std::size_t>(largest - sizes.begin());
}

/// The dimensions of a grid in order, but `along` at the end; none of a grid without dimensions.
std::vector<std::size_t> along_last(const Cartesian& grid, std::size_t along) {
  std::vector<std::size_t> dimensions;
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d)
    if (d != along) dimensions.push_back(d);
  if (!grid.dimensions().empty()) dimensions.push_back(along);
  return dimensions;
}

/// Strips as high as the d-th root of the ranks per host, stretched as the stencil is; what a
/// height takes of the ranks per host is taken from the next.
StripPlan published_plan(const Cartesian& grid, const GuestStencil& stencil, int ranks_per_host) {
  StripPlan plan{along_last(grid, largest_dimension(grid)), {}, 0};
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

/// Adds the plans whose strips have cross sections of at most `ranks_per_host` ranks.
void add_plans(const Cartesian& grid, StripPlan& plan, int ranks_per_host,
               std::vector<StripPlan>& plans) {
  const std::size_t k = plan.strips.size();
  if (plans.size() >= max_plans) return;
  if (k + 1 >= plan.dimensions.size()) return plans.push_back(plan);
  const int size = grid.dimensions()[plan.dimensions[k]].size;
  int last = 0;
  for (int height = 1; height <= std::min(size, ranks_per_host); ++height) {
    if (size / height == last) continue;  // the same strips again
    last = size / height;
    plan.strips.push_back(last);
    add_plans(grid, plan, ranks_per_host / height, plans);
    plan.strips.pop_back();
  }
}

/// Edges of a rank that are cut if hosts are boxes between the borders of the strips.
double estimated_cut(const Cartesian& grid, const GuestStencil& stencil, int ranks_per_host,
                     const StripPlan& plan) {
  double length = ranks_per_host, cut = 0;
  for (std::size_t k = 0; k < plan.strips.size(); ++k) {
    const std::size_t d = plan.dimensions[k];
    const double height = static_cast<double>(grid.dimensions()[d].size) / plan.strips[k];
    if (plan.strips[k] > 1) cut += stencil.cut_edges(d) / height;
    length /= height;
  }
  return cut + stencil.cut_edges(plan.dimensions.back()) / std::max(1.0, length);
}

/// The published plan, then those of all heights and directions that look best.
std::vector<StripPlan> plans_to_try(const MappingProblem& problem, const GuestStencil& stencil,
                                    const HostFill& fill) {
  const Cartesian& grid = *problem.grid;
  const int ranks_per_host = fill.typical_ranks();
  std::vector<StripPlan> plans;
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
    StripPlan start{along_last(grid, d), {}, 0};
    std::vector<StripPlan> along;
    add_plans(grid, start, ranks_per_host, along);
    for (StripPlan& plan : along) {
      plan.cut = estimated_cut(grid, stencil, ranks_per_host, plan);
      plans.push_back(std::move(plan));
    }
  }
  std::stable_sort(plans.begin(), plans.end(),
                   [](const StripPlan& a, const StripPlan& b) { return a.cut < b.cut; });
  const double edges = static_cast<double>(problem.guest.num_edges()) + fill.num_ranks();
  const double most = max_edges_looked_at / edges;
  if (most < static_cast<double>(plans.size())) plans.resize(static_cast<std::size_t>(most));
  plans.insert(plans.begin(), published_plan(grid, stencil, ranks_per_host));
  return plans;
}

FillOrder best_strips(const MappingProblem& problem, const GuestStencil& stencil,
                      const HostFill& fill) {
  FillOrder best;
  std::optional<LeavingEdges> least;
  for (const StripPlan& plan : plans_to_try(problem, stencil, fill)) {
    FillOrder order = walk_strips(*problem.grid, plan);
    const LeavingEdges leaving = leaving_edges(problem.guest, order, fill);
    if (least && leaving >= *least) continue;
    least = leaving;
    best = std::move(order);
  }
  return best;
}

Embedding map_stencil_strips(const MappingProblem& problem, const SearchControl&);

}  // namespace

/// Strips of equal height along the largest dimension, walked there and back; hosts take
/// consecutive ranks. S. Hunold, K. von Kirchbach, M. Lehr, C. Schulz, J. L. Träff, "Efficient
/// Process-to-Node Mapping Algorithms for Stencil Computations" (CLUSTER 2020), section V.C. By
/// default all heights along each dimension are tried, the paper's first, and the least Jsum, then
/// Jmax, is kept: so many of them as four hundred million edges looked at allow.
MapperInfo stencil_strips() {
  return {
      .name = "stencil_strips",
      .summary = "strips along the largest dimension, walked there and back",
      .reference = "Hunold et al., CLUSTER 2020",
      .options = {{"height", "best (of all heights and directions), root (the paper's) or a number",
                   "best"}},
      .unsupported_reason = grid_missing,
      .map = map_stencil_strips,
      .work = {.microseconds_per_rank = 0.1, .microseconds_per_edge = 0.1}};
}

namespace {

/// The published plan with strips of another height.
StripPlan plan_of_height(const Cartesian& grid, StripPlan plan, std::string_view height) {
  const auto value = parse_integer(height);
  if (!value || *value < 1)
    throw UsageError(fmt::format(
        "height \"{}\" of mapper stencil_strips: accepted are best, root and 1, 2, ...", height));
  for (std::size_t k = 0; k < plan.strips.size(); ++k) {
    const std::int64_t strips = grid.dimensions()[plan.dimensions[k]].size / *value;
    plan.strips[k] = std::max(1, static_cast<int>(strips));
  }
  return plan;
}

Embedding map_stencil_strips(const MappingProblem& problem, const SearchControl&) {
  const std::string height = option_value(stencil_strips(), problem, "height");
  const Cartesian& grid = *problem.grid;
  const HostFill fill(problem.allocation, grid.num_ranks());
  const GuestStencil stencil(problem.guest, grid);
  StripPlan plan = published_plan(grid, stencil, fill.typical_ranks());
  if (height == "best") {  // by what is looked at; the paper's may be better still
    Embedding best = fill_hosts(best_strips(problem, stencil, fill), problem.allocation);
    if (problem.guest.num_ranks() > max_ranks_of_two) return best;
    return better_of(problem, problem.objective, std::move(best),
                     fill_hosts(walk_strips(grid, plan), problem.allocation));
  }
  if (height != "root") plan = plan_of_height(grid, std::move(plan), height);
  return fill_hosts(walk_strips(grid, plan), problem.allocation);
}

}  // namespace

}  // namespace vtopo::detail::mappers
