#include "sim/mapping/portfolio/portfolio_budget.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/mapping/search/hop_annealing.hpp"
#include "sim/mapping/search/refinement.hpp"

namespace vtopo::detail {

namespace {

/// A point of the budget: it grows by powers in between.
struct BudgetPoint {
  double ranks;
  double seconds;
};
constexpr std::array<BudgetPoint, 4> budget{
    {{1024, 1.5}, {4096, 1.5}, {262'144, 110}, {1'048'576, 400}}};

/// Of a few ranks there is less to find.
constexpr double max_seconds_per_rank = 0.02;

/// Doublings from one part to all: mappers that part the ranks are done when a part fits a host.
double doublings(const MappingProblem& problem) {
  return std::log2(std::min(problem.guest.num_ranks(), problem.allocation.num_hosts()) + 2);
}

bool comes_first(const Measure& measure, const Objective& objective) {
  return !objective.sums.empty() && objective.sums.front().size() == 1 &&
         &first_measure(objective) == &measure;
}

/// Edges of the rank at an end of an edge, in the mean: ranks of many edges are that often.
double edges_at_end(const CommGraph& guest) {
  std::vector<double> degree(static_cast<std::size_t>(guest.num_ranks()), 0.0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    ++degree[index(source)];
    ++degree[index(edge.destination)];
  });
  double sum = 0, squares = 0;
  for (const double edges : degree) {
    sum += edges;
    squares += edges * edges;
  }
  return sum > 0 ? squares / sum : 0;
}

/// Edges of a rank that a step of the refiner of congestion moves: one step in two moves an end of
/// a flow over a busy link, where half of the edges leave.
double edges_of_step(const MappingProblem& problem) {
  return (edges_per_rank(problem) + edges_at_end(problem.guest) / 2) / 2;
}

}  // namespace

PortfolioRefinement portfolio_refinement(const MappingProblem& problem) {
  if (lowers_hops_only(problem) && can_anneal_hops(problem)) return PortfolioRefinement::hops;
  if (comes_first(max_congestion_measure(), problem.objective))
    return PortfolioRefinement::congestion;
  return PortfolioRefinement::general;
}

bool anneals_hops_first(const MappingProblem& problem) {
  return portfolio_refinement(problem) != PortfolioRefinement::general &&
         !problem.host.splits_flows() && can_anneal_hops(problem);
}

double portfolio_seconds(const MappingProblem& problem) {
  const double ranks = problem.guest.num_ranks();
  if (ranks <= budget.front().ranks)
    return std::min(budget.front().seconds, max_seconds_per_rank * ranks);
  std::size_t next = 1;
  while (next + 1 < budget.size() && budget[next].ranks < ranks) ++next;
  const auto& [from, least] = budget[next - 1];
  const auto& [to, most] = budget[next];
  return least * std::pow(ranks / from, std::log(most / least) / std::log(to / from));
}

WorkEstimate work_of(const MapperInfo& info, const MappingProblem& problem) {
  if (!info.work_on_grids) return info.work;
  return problem.host.coordinates() ? *info.work_on_grids : info.work;
}

double seconds_of_mapper(const MapperInfo& info, const MappingProblem& problem) {
  const WorkEstimate work = work_of(info, problem);
  const double ranks = problem.guest.num_ranks();
  const double per_rank =
      work.microseconds_per_rank + work.microseconds_per_edge * edges_per_rank(problem);
  return 1e-6 * per_rank * ranks * doublings(problem) +
         1e-9 * work.nanoseconds_per_pair * ranks * ranks;
}

/// Steps of large problems wait for memory.
double seconds_per_step(const MappingProblem& problem) {
  const double slower = std::cbrt(std::max(1.0, problem.guest.num_ranks() / 4096.0));
  const double edges = 1 + edges_per_rank(problem) / 16;
  switch (portfolio_refinement(problem)) {
    case PortfolioRefinement::hops:
      return 1.2e-7 * slower * edges;
    case PortfolioRefinement::congestion:
      return 5e-6 * slower * (1 + edges_of_step(problem) / 16);
    case PortfolioRefinement::general:
      break;
  }
  return (lowers_hops_only(problem) ? 6e-7 : 6e-6) * slower * edges;
}

bool has_hubs(const CommGraph& guest) {
  constexpr double uneven = 2;
  const double ends_per_rank =
      2 * static_cast<double>(guest.num_edges()) / std::max(guest.num_ranks(), 1);
  return edges_at_end(guest) > uneven * ends_per_rank;
}

double edges_per_rank(const MappingProblem& problem) {
  return static_cast<double>(problem.guest.num_edges()) / std::max(problem.guest.num_ranks(), 1);
}

}  // namespace vtopo::detail
