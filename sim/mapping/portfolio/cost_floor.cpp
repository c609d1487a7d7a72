#include "sim/mapping/portfolio/cost_floor.hpp"

#include <algorithm>
#include <cmath>

#include "sim/evaluation/bounds.hpp"

namespace vtopo {

namespace {

constexpr double rounding = 1e-12;

/// No route is shorter than the hops that all bytes must travel on average.
double least_dilation(const MappingProblem& problem, const Bounds& bounds) {
  const Bytes volume = problem.guest.total_volume();
  if (problem.host.splits_flows() || volume.value <= 0) return 0;
  return std::ceil(bounds.hop_bytes.value / volume.value * (1 - rounding));
}

double least(Measure measure, const MappingProblem& problem, const Bounds& bounds) {
  if (measure == Measure::hop_bytes) return bounds.hop_bytes.value;
  if (measure == Measure::max_congestion) return bounds.congestion.value;
  if (measure == Measure::max_dilation) return least_dilation(problem, bounds);
  return 0;
}

/// Share of the time until the deadline that bounds may take.
constexpr double most_time = 0.12;

/// About what bounds take, in seconds: up to 1,024 ranks a guest that is no grid is factorised.
double seconds_of_bounds(const MappingProblem& problem) {
  const double ranks = problem.guest.num_ranks();
  return ranks <= 1024 ? 1.5e-10 * ranks * ranks * ranks : 4e-6 * ranks;
}

bool has_time_for_bounds(const MappingProblem& problem, const SearchControl& control) {
  const auto left = control.time_left();
  return !left || seconds_of_bounds(problem) < most_time * left->count();
}

}  // namespace

CostFloor::CostFloor(const MappingProblem& problem, const SearchControl& control) {
  if (problem.objective.simulated_time || !has_time_for_bounds(problem, control)) return;
  const Bounds bounds = lower_bounds(problem.guest, problem.host, problem.allocation);
  auto sums = problem.objective.sums;
  if (sums.empty()) sums.push_back({{Measure::hop_bytes, 1}});
  for (const auto& sum : sums) {
    double floor = 0;
    for (const WeightedMeasure& part : sum)
      floor += part.weight * least(part.measure, problem, bounds);
    sums_.push_back(floor);
  }
}

bool CostFloor::reached(const Cost& cost) const {
  return !sums_.empty() &&
         std::equal(sums_.begin(), sums_.end(), cost.begin(), cost.end(),
                    [](double floor, double value) { return value <= floor * (1 + rounding); });
}

}  // namespace vtopo
