#include "sim/mapping/portfolio/cost_floor.hpp"

#include <algorithm>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/bounds/guest_grid.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-12;

/// Share of the time until the deadline that bounds may take.
constexpr double max_share_of_time = 0.12;

/// Whether trees are packed: where ranks share a host or, on networks that are not grids, a switch,
/// unless the guest holds a grid.
bool packs_trees(const MappingProblem& problem) {
  if (problem.guest.num_ranks() > 4096) return false;
  const bool parts_ranks = problem.allocation.slots.front() > 1 || !problem.host.coordinates();
  return parts_ranks && !find_guest_grid(Partners(problem.guest));
}

/// About what bounds take, in seconds: up to 1,024 ranks a guest that is not a grid is factorised.
double seconds_of_bounds(const MappingProblem& problem) {
  const double ranks = problem.guest.num_ranks();
  return (ranks <= 1024 ? 1.5e-10 * ranks * ranks * ranks : 4e-6 * ranks) +
         (packs_trees(problem) ? 5e-4 * ranks : 0);
}

bool has_time_for_bounds(const MappingProblem& problem, const SearchControl& control) {
  const auto left = control.time_left();
  return !left || seconds_of_bounds(problem) < max_share_of_time * left->count();
}

}  // namespace

CostFloor::CostFloor(const MappingProblem& problem, const SearchControl& control) {
  if (!has_time_for_bounds(problem, control)) return;
  const Bounds bounds = lower_bounds(problem.guest, problem.host, problem.allocation);
  auto sums = problem.objective.sums;
  if (sums.empty()) sums.push_back({{&hop_bytes_measure(), 1}});
  for (const auto& sum : sums) {
    double floor = 0;
    for (const auto& [measure, weight] : sum)
      if (measure->floor) floor += weight * measure->floor(problem, bounds);
    sums_.push_back(floor);
  }
}

bool CostFloor::reached(const Cost& cost) const {
  return !sums_.empty() &&
         std::equal(sums_.begin(), sums_.end(), cost.begin(), cost.end(),
                    [](double floor, double value) { return value <= floor * (1 + rounding); });
}

}  // namespace vtopo::detail
