#include "sim/mapping/portfolio_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "topology/error.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

/// Not in `auto`: what they give depends on more than the problem, or they are portfolios.
constexpr std::array<std::string_view, 4> outsiders{"external", "file", "portfolio", "scotch"};

/// About what the slow mappers take: per rank and for each doubling of the ranks, and per pair of
/// ranks. Mappers that are not listed are taken to need `usual`.
struct WorkEstimate {
  std::string_view name;
  double microseconds_per_rank;  ///< times log2 of the ranks
  double nanoseconds_per_pair;
};
constexpr WorkEstimate usual{"", 1, 0};
constexpr std::array<WorkEstimate, 11> estimates{{{"bisection", 30, 0},
                                                  {"block", 0, 0},
                                                  {"fold", 2, 0},
                                                  {"geometric", 5, 0},
                                                  {"greedy", 1, 25},
                                                  {"greedy_allc", 1, 25},
                                                  {"multilevel", 80, 0},
                                                  {"multisection", 80, 0},
                                                  {"random", 0.1, 0},
                                                  {"rcm", 1, 40},
                                                  {"tree_grouping", 2, 50}}};

/// A member of `auto` takes no longer.
constexpr double most_seconds = 60;

/// The more edges, the longer; grids have 4 to 6 per rank.
double edges_per_rank(const MappingProblem& problem) {
  return static_cast<double>(problem.guest.num_edges()) / std::max(problem.guest.num_ranks(), 1);
}

double seconds_of(std::string_view name, const MappingProblem& problem) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(),
                   [&](const WorkEstimate& estimate) { return estimate.name == name; });
  const WorkEstimate& work = found == estimates.end() ? usual : *found;
  const double ranks = problem.guest.num_ranks();
  const double density = std::max(1.0, edges_per_rank(problem) / 6);
  return 1e-6 * work.microseconds_per_rank * density * ranks * std::log2(ranks + 2) +
         1e-9 * work.nanoseconds_per_pair * ranks * ranks;
}

bool is_refiner(const MapperInfo& info) {
  return std::any_of(info.options.begin(), info.options.end(),
                     [](const MapperOption& option) { return option.name == "start"; });
}

bool is_outsider(const MapperInfo& info) {
  return std::find(outsiders.begin(), outsiders.end(), info.name) != outsiders.end();
}

std::vector<PortfolioMember> members_that_fit(const MappingProblem& problem) {
  std::vector<PortfolioMember> members;
  for (const MapperInfo& info : all_mappers()) {
    if (is_refiner(info) || is_outsider(info)) continue;
    const double seconds = seconds_of(info.name, problem);
    if (seconds > most_seconds || obstacle({info.name, {}}, problem)) continue;
    members.push_back({info.name, seconds});
  }
  return members;
}

std::vector<PortfolioMember> named_members(const MappingProblem& problem, std::string_view names) {
  std::vector<PortfolioMember> members;
  for (const std::string_view name : split(names, '+')) {
    const MapperInfo& info = find_mapper(name);
    if (info.name == "portfolio") throw UsageError("portfolio cannot be a member of itself");
    if (const auto reason = obstacle({info.name, {}}, problem))
      throw UsageError(fmt::format("member {} of portfolio {}", info.name, *reason));
    members.push_back({info.name, seconds_of(info.name, problem)});
  }
  return members;
}

bool counts_congestion(const Objective& objective) {
  return std::any_of(objective.sums.begin(), objective.sums.end(), [](const auto& sum) {
    return std::any_of(sum.begin(), sum.end(), [](const WeightedMeasure& part) {
      return part.measure == Measure::max_congestion;
    });
  });
}

}  // namespace

std::vector<PortfolioMember> portfolio_members(const MappingProblem& problem,
                                               std::string_view names) {
  auto members = names == "auto" ? members_that_fit(problem) : named_members(problem, names);
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  return members;
}

/// A step of tabu looks at all pairs; it is worth its tables where it makes several per rank.
std::vector<std::string> portfolio_refiners(const MappingProblem& problem, double steps) {
  constexpr int most_tabu_ranks = 512;
  const int ranks = problem.guest.num_ranks();
  std::vector<std::string> names;
  for (const MapperInfo& info : all_mappers()) {
    if (!is_refiner(info) || is_outsider(info) || info.name == "exchange") continue;
    if (info.name == "congestion" && !counts_congestion(problem.objective)) continue;
    if (info.name == "tabu" && (!is_hop_bytes(problem.objective) || ranks > most_tabu_ranks ||
                                steps_of_refiner("tabu", problem, steps) < 4 * ranks))
      continue;
    names.push_back(info.name);
  }
  return names;
}

double steps_of_refiner(std::string_view name, const MappingProblem& problem, double steps) {
  if (name != "tabu" || !is_hop_bytes(problem.objective)) return steps;
  const double slots = std::max<double>(
      1, std::min<double>(static_cast<double>(problem.allocation.num_slots()), 1024));
  return steps * (400 + 30 * edges_per_rank(problem)) / (slots * slots);
}

double default_portfolio_steps(const MappingProblem& problem) {
  const double ranks = problem.guest.num_ranks();
  const double per_step = 1 + edges_per_rank(problem) / 16;
  const double slower = is_hop_bytes(problem.objective) ? 1 : 6;
  return std::min(2000 * ranks * ranks, 3e6 + 150 * ranks) / (per_step * slower);
}

}  // namespace vtopo
