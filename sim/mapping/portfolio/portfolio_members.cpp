#include "sim/mapping/portfolio/portfolio_members.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <utility>

#include "sim/mapping/portfolio/portfolio_budget.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

/// Not in `auto`: what they give depends on more than the problem, or they are portfolios.
constexpr std::array<std::string_view, 4> outsiders{"external", "file", "portfolio", "scotch"};

/// What a step of tabu takes, in seconds of processor time for each pair of slots.
constexpr double tabu_seconds_per_pair = 8e-9;

/// What its tables take, for each pair of ranks.
constexpr double tabu_seconds_of_tables_per_pair = 2e-7;

bool is_refiner(const MapperInfo& info) {
  return std::any_of(info.options.begin(), info.options.end(),
                     [](const MapperOption& option) { return option.name == "start"; });
}

bool is_outsider(const MapperInfo& info) {
  return std::find(outsiders.begin(), outsiders.end(), info.name) != outsiders.end();
}

/// The quickest that is good whatever the guest: on large problems others must leave time for it.
constexpr std::string_view mainstay = "bisection";

/// They refine less where time is short; on tori others are better in that time.
constexpr std::array<std::string_view, 2> patient{"multilevel", "multisection"};

PortfolioMember member_of(const std::string& name, const MappingProblem& problem) {
  const double seconds = seconds_of_mapper(name, problem);
  const bool shortens = !problem.host.coordinates() &&
                        std::find(patient.begin(), patient.end(), name) != patient.end();
  return {name, seconds, shortens ? seconds / 2 : seconds, name == mainstay};
}

/// It comes before others that take a sixth of its time: where that is short they give less.
double turn(const PortfolioMember& member) {
  return member.is_mainstay ? member.seconds / 6 : member.seconds;
}

bool comes_before(const PortfolioMember& a, const PortfolioMember& b) {
  return turn(a) < turn(b);
}

/// Takes what a mapper needs out of the time that is left, if there is enough.
bool take(double seconds, double& left) {
  if (seconds > left) return false;
  left -= seconds;
  return true;
}

/// Of the mappers as many as the budget has time for, the quickest first. Where a deadline bounds
/// the time, the clock decides which are begun.
std::vector<PortfolioMember> members_that_fit(const MappingProblem& problem) {
  double left = problem.deadline ? std::numeric_limits<double>::infinity()
                                 : member_share * portfolio_seconds(problem);
  const bool has_mainstay = take(seconds_of_mapper(mainstay, problem), left);
  std::vector<PortfolioMember> members;
  for (const MapperInfo& info : all_mappers())
    if (!is_refiner(info) && !is_outsider(info)) members.push_back(member_of(info.name, problem));
  std::stable_sort(members.begin(), members.end(), comes_before);
  std::vector<PortfolioMember> fitting;
  for (PortfolioMember& member : members) {
    const bool fits = member.is_mainstay ? has_mainstay : member.seconds <= left;
    if (!fits || obstacle({member.name, {}}, problem)) continue;
    if (!member.is_mainstay) take(member.seconds, left);
    fitting.push_back(std::move(member));
  }
  return fitting;
}

std::vector<PortfolioMember> named_members(const MappingProblem& problem, std::string_view names) {
  std::vector<PortfolioMember> members;
  for (const std::string_view name : split(names, '+')) {
    const MapperInfo& info = find_mapper(name);
    if (info.name == "portfolio") throw UsageError("portfolio cannot be a member of itself");
    if (const auto reason = obstacle({info.name, {}}, problem))
      throw UsageError(fmt::format("member {} of portfolio {}", info.name, *reason));
    members.push_back(member_of(info.name, problem));
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

/// Whether a refiner that gets about a third of the time has several times that of its tables.
bool has_time_for_tabu(const MappingProblem& problem) {
  if (!problem.deadline) return true;
  const std::chrono::duration<double> left = *problem.deadline - std::chrono::steady_clock::now();
  const double ranks = problem.guest.num_ranks();
  return left.count() > 10 * tabu_seconds_of_tables_per_pair * ranks * ranks;
}

}  // namespace

std::vector<PortfolioMember> portfolio_members(const MappingProblem& problem,
                                               std::string_view names) {
  if (names == "auto") return members_that_fit(problem);
  auto members = named_members(problem, names);
  std::stable_sort(members.begin(), members.end(), comes_before);
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
    if (info.name == "tabu" &&
        (!is_hop_bytes(problem.objective) || ranks > most_tabu_ranks ||
         !has_time_for_tabu(problem) || steps_of_refiner("tabu", problem, steps) < 4 * ranks))
      continue;
    names.push_back(info.name);
  }
  return names;
}

double steps_of_refiner(std::string_view name, const MappingProblem& problem, double steps) {
  if (name != "tabu" || !is_hop_bytes(problem.objective)) return steps;
  const double slots = std::max<double>(
      1, std::min<double>(static_cast<double>(problem.allocation.num_slots()), 1024));
  return steps * seconds_per_step(problem) / (tabu_seconds_per_pair * slots * slots);
}

}  // namespace vtopo
