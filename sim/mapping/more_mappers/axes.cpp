#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/more_mappers/layouts/axis_layout.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::mappers {

namespace {

constexpr std::size_t compared_layouts = 8;

std::vector<HostRadices> radices_of(const MappingProblem& problem) {
  return host_radices(problem.network, problem.allocation, problem.grid->num_ranks());
}

std::optional<std::string> axes_unsupported_reason(const MappingProblem& problem) {
  if (!problem.grid) return "needs a Cartesian virtual topology, such as cart:8x8 or parallel:tp=8";
  if (radices_of(problem).empty())
    return "needs the same number of slots on every host, which divides the ranks";
  return std::nullopt;
}

Embedding embedding_of(const MappingProblem& problem, const HostRadices& radices,
                       const AxisLayout& layout) {
  const auto dimensions = problem.grid->dimensions();
  const auto strides = problem.grid->strides();
  std::vector<HostId> hosts;
  for (int r = 0; r < problem.grid->num_ranks(); ++r) {
    int slot = 0;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      slot += layout.offsets[d][index(r / strides[d] % dimensions[d].size)];
    hosts.push_back(radices.slot_hosts[index(slot)]);
  }
  return Embedding(std::move(hosts), problem.allocation);
}

/// Whether hops follow from the differences of coordinates or from the smallest common group.
bool has_regular_hops(const Network& network) {
  const HopMetric metric = network.hop_metric();
  return std::holds_alternative<GridMetric>(metric) || std::holds_alternative<TreeMetric>(metric);
}

std::string remark_on(const AxisLayouts& layouts, std::ptrdiff_t chosen, bool whole, bool proved) {
  const std::string all =
      whole ? "orders of whole axes"
            : fmt::format(
                  "{:.0f} assignments of axes to the places of the hosts, and of their foldings",
                  layouts.assignments);
  if (!proved) return "axes: the best found of " + all;
  if (chosen == 0) return "axes: the fewest hop-bytes of all " + all;
  return fmt::format(
      "axes: best by the objective of the {} that have the fewest hop-bytes of all {}",
      layouts.best.size(), all);
}

bool wants_whole_axes(const MappingProblem& problem);

Embedding map_axes(const MappingProblem& problem, const SearchControl& control) {
  const bool whole = wants_whole_axes(problem);
  const GridTraffic traffic = grid_traffic(problem.guest, *problem.grid);
  std::optional<Embedding> best;
  Cost best_cost;
  std::string remark = "axes: sizes of axes and hosts have no factors in common";
  for (const HostRadices& radices : radices_of(problem)) {
    const AxisLayouts layouts =
        best_axis_layouts(problem.network, radices, traffic, whole, compared_layouts);
    const bool proved = layouts.complete && radices.is_regular && traffic.is_all &&
                        has_regular_hops(problem.network);
    for (const AxisLayout& layout : layouts.best) {
      Embedding embedding = embedding_of(problem, radices, layout);
      Cost cost = cost_of(problem.objective, problem.guest, problem.network, embedding);
      if (best && !(cost < best_cost)) continue;
      best = std::move(embedding);
      best_cost = std::move(cost);
      remark = remark_on(layouts, &layout - layouts.best.data(), whole, proved);
    }
  }
  if (control.remark) control.remark(remark);
  if (best) return *best;
  std::vector<HostId> hosts = slot_hosts(problem.allocation);
  hosts.resize(index(problem.grid->num_ranks()));
  return Embedding(std::move(hosts), problem.allocation);
}

}  // namespace

/// Axes of a grid onto the levels or dimensions of the hosts: every order of the axes, every split
/// of an axis over several levels and every folding, the best by hop-bytes. What device meshes do
/// by hand: N. Xu et al., "GSPMD" (2021); JAX mesh_utils; P. Xie et al., "Synthesizing Optimal
/// Parallelism Placement and Reduction Strategies on Hierarchical Systems for Deep Learning" (MLSys
/// 2022), whose matrices of splits are the assignments here.
MapperInfo axes() {
  return {.name = "axes",
          .summary = "orders, splits and foldings of the axes of a grid onto host levels: the best",
          .reference = "Xie et al., MLSys 2022",
          .options = {{"whole", "yes: orders of whole axes alone, or no", "no"}},
          .needs = "a Cartesian guest",
          .unsupported_reason = axes_unsupported_reason,
          .map = map_axes,
          .work = {.microseconds_per_rank = 10}};
}

namespace {

bool wants_whole_axes(const MappingProblem& problem) {
  const std::string whole = option_value(axes(), problem, "whole");
  if (whole != "yes" && whole != "no")
    throw UsageError(fmt::format("option whole={} of mapper axes; accepted: yes, no", whole));
  return whole == "yes";
}

}  // namespace

}  // namespace vtopo::detail::mappers
