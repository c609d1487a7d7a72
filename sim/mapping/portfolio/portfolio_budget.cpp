#include "sim/mapping/portfolio/portfolio_budget.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/mapping/search/hop_annealing.hpp"
#include "sim/mapping/search/refinement.hpp"

namespace vtopo {

namespace {

/// About what the slower mappers take: per rank and for each doubling of the ranks, alone and per
/// edge of a rank, and per pair of ranks. Mappers that are not listed are taken to need `usual`.
/// Measured on random geometric graphs and shuffled stencils of 4,096 to 262,144 ranks on tori and
/// fat trees, on one core of 2.5 GHz.
struct WorkEstimate {
  std::string_view name;
  double microseconds_per_rank;
  double microseconds_per_edge;
  double nanoseconds_per_pair;
};
constexpr WorkEstimate usual{"", 1, 0.1, 0};
constexpr std::array<WorkEstimate, 13> estimates{{{"bisection", 3.5, 0.1, 0},
                                                  {"block", 0, 0, 0},
                                                  {"fold", 2, 0, 0},
                                                  {"geometric", 5, 0, 0},
                                                  {"greedy", 0.8, 0.1, 0.25},
                                                  {"greedy_allc", 0.8, 0.1, 0.25},
                                                  {"lattice", 0.15, 0.01, 0},
                                                  {"multilevel", 15, 0.8, 0},
                                                  {"multisection", 6, 3, 0},
                                                  {"random", 0.1, 0, 0},
                                                  {"rcm", 1.6, 0.02, 0},
                                                  {"round_robin", 0, 0, 0},
                                                  {"tree_grouping", 0.3, 0.05, 0.02}}};

/// A point of the budget: it grows by powers in between.
struct BudgetPoint {
  double ranks;
  double seconds;
};
constexpr std::array<BudgetPoint, 4> budget{
    {{1024, 2}, {4096, 15}, {262'144, 110}, {1'048'576, 400}}};

/// Of a few ranks there is less to find.
constexpr double most_seconds_per_rank = 0.02;

double log2_of(double value) {
  return std::log2(value + 2);
}

bool comes_first(Measure measure, const Objective& objective) {
  return !objective.sums.empty() && objective.sums.front().size() == 1 &&
         objective.sums.front().front().measure == measure;
}

}  // namespace

PortfolioRefinement portfolio_refinement(const MappingProblem& problem) {
  if (lowers_hops_only(problem) && can_anneal_hops(problem)) return PortfolioRefinement::hops;
  if (comes_first(Measure::max_congestion, problem.objective))
    return PortfolioRefinement::congestion;
  return PortfolioRefinement::general;
}

double portfolio_seconds(const MappingProblem& problem) {
  const double ranks = problem.guest.num_ranks();
  if (ranks <= budget.front().ranks)
    return std::min(budget.front().seconds, most_seconds_per_rank * ranks);
  std::size_t next = 1;
  while (next + 1 < budget.size() && budget[next].ranks < ranks) ++next;
  const auto& [from, least] = budget[next - 1];
  const auto& [to, most] = budget[next];
  return least * std::pow(ranks / from, std::log(most / least) / std::log(to / from));
}

double seconds_of_mapper(std::string_view name, const MappingProblem& problem) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(),
                   [&](const WorkEstimate& estimate) { return estimate.name == name; });
  const WorkEstimate& work = found == estimates.end() ? usual : *found;
  const double ranks = problem.guest.num_ranks();
  const double per_rank =
      work.microseconds_per_rank + work.microseconds_per_edge * edges_per_rank(problem);
  const double seconds =
      1e-6 * per_rank * ranks * log2_of(ranks) + 1e-9 * work.nanoseconds_per_pair * ranks * ranks;
  const bool has_dimensions = problem.host.coordinates().has_value();
  // Parts of a torus have more neighbours with which they exchange ranks; elsewhere those of
  // multilevel exchange ranks, too.
  if (name == "multisection" && has_dimensions) return 2 * seconds;
  if (name == "multilevel" && !has_dimensions)
    return seconds + seconds_of_mapper("multisection", problem);
  return seconds;
}

/// Steps of large problems wait for memory.
double seconds_per_step(const MappingProblem& problem) {
  const double slower = std::cbrt(std::max(1.0, problem.guest.num_ranks() / 4096.0));
  const double edges = 1 + edges_per_rank(problem) / 16;
  switch (portfolio_refinement(problem)) {
    case PortfolioRefinement::hops:
      return 1.2e-7 * slower * edges;
    case PortfolioRefinement::congestion:
      return 5e-6 * slower * edges;
    case PortfolioRefinement::general:
      break;
  }
  return (lowers_hops_only(problem) ? 6e-7 : 6e-6) * slower * edges;
}

double edges_per_rank(const MappingProblem& problem) {
  return static_cast<double>(problem.guest.num_edges()) / std::max(problem.guest.num_ranks(), 1);
}

}  // namespace vtopo
