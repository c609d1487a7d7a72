#include "sim/mapping/portfolio/portfolio_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/mapping/partition/guest_partition.hpp"
#include "sim/mapping/search/annealing.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// A point of the budget: it grows by powers in between.
struct BudgetPoint {
  double ranks;
  double seconds;
};
constexpr std::array<BudgetPoint, 4> budget{
    {{1024, 1.5}, {4096, 1.5}, {262'144, 110}, {1'048'576, 400}}};

/// Share of the time until a deadline that a member of full effort may take, at most.
constexpr double full_effort_share = 0.2;

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
         !problem.network.splits_flows() && can_anneal_hops(problem);
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
  return problem.network.coordinates() ? *info.work_on_grids : info.work;
}

double seconds_of_mapper(const MapperInfo& info, const MappingProblem& problem) {
  const WorkEstimate work = work_of(info, problem);
  const double ranks = problem.guest.num_ranks();
  const double per_rank =
      work.microseconds_per_rank + work.microseconds_per_edge * edges_per_rank(problem);
  return 1e-6 * per_rank * ranks * doublings(problem) +
         1e-9 * work.nanoseconds_per_pair * ranks * ranks;
}

bool ends_early(const MappingProblem& problem, const SearchControl& control) {
  return problem.guest.num_ranks() > many_ranks && !control.steps && !control.deadline;
}

bool makes_less_effort(const MapperInfo& info, const MappingProblem& problem,
                       const SearchControl& control) {
  if (work_of(info, problem).quick_share >= 1) return false;
  if (ends_early(problem, control)) return true;
  const auto left = time_left(control);
  return problem.guest.num_ranks() > many_ranks && left &&
         seconds_of_mapper(info, problem) > full_effort_share * left->count();
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

namespace {

/// Where an annealing on a grid follows: the share of the time that is left that the mainstay may
/// take, and of what is left for members that another one may.
constexpr double mainstay_share = 0.6;
constexpr double start_share = 0.2;

/// Whether a member has a first embedding long before it has ended.
bool begins_quickly(const MapperInfo& info, const MappingProblem& problem,
                    const SearchControl& control) {
  const bool halves = std::any_of(info.options.begin(), info.options.end(), [](const auto& option) {
    return option.name == effort_option().name;
  });
  return halves && may_be_quick(problem, control);
}

PortfolioMember member_of(const MapperInfo& info, const MappingProblem& problem,
                          const SearchControl& control) {
  const WorkEstimate work = work_of(info, problem);
  const bool quick = makes_less_effort(info, problem, control);
  const double seconds = seconds_of_mapper(info, problem) * (quick ? work.quick_share : 1);
  const bool at_once = begins_quickly(info, problem, control);
  return {info.name, seconds, at_once ? 0 : seconds * work.min_share,
          info.role == MapperRole::mainstay, quick};
}

/// Places of all ranks at random, many on a host, cost more to evaluate than they are worth.
bool scatters_many(const MapperInfo& info, const MappingProblem& problem,
                   const SearchControl& control) {
  return info.ignores_traffic && info.uses_seed && ends_early(problem, control) &&
         problem.guest.num_ranks() > problem.allocation.num_hosts();
}

/// Whether an annealing until the deadline follows that moves ranks one by one over a grid: it
/// makes good for much of what a quick start lacks.
bool anneals_on_grid(const MappingProblem& problem, const SearchControl& control) {
  return control.deadline && problem.network.coordinates() && anneals_hops_first(problem);
}

/// Of those that begin with the same quick partition only the one that does most with it stays, but
/// for searches, which refinement repeats: it is then the mainstay. @returns its name, empty if
/// there is none.
std::string keep_one_quick_beginner(const MappingProblem& problem, const SearchControl& control,
                                    std::vector<PortfolioMember>& members) {
  PortfolioMember kept;
  const auto begins = [&](const PortfolioMember& member) {
    const MapperInfo& info = find_mapper(member.name);
    if (!begins_quickly(info, problem, control)) return false;
    if (!info.anytime && kept.seconds < member.seconds) kept = member;
    return true;
  };
  members.erase(std::remove_if(members.begin(), members.end(), begins), members.end());
  if (kept.name.empty()) return {};
  kept.is_mainstay = true;
  members.push_back(kept);
  return kept.name;
}

/// The quickest first; before them what has a whole partition at once, but where a guest is laid
/// out as a grid or has no small cuts. The mainstay comes before others that take a sixth of its
/// time: where that is short they give less, but not on guests without small cuts.
void put_in_turn(const MappingProblem& problem, const SearchControl& control,
                 std::vector<PortfolioMember>& members) {
  const bool hubs = control.deadline && has_hubs(problem.guest);
  const double head_start = hubs ? 1 : 6;
  const auto turn = [&](const PortfolioMember& member) {
    if (!hubs && !problem.grid && begins_quickly(find_mapper(member.name), problem, control))
      return -1.0;
    return member.is_mainstay ? member.seconds / head_start : member.seconds;
  };
  std::stable_sort(members.begin(), members.end(),
                   [&](const auto& a, const auto& b) { return turn(a) < turn(b); });
}

/// Where an annealing follows, no member is begun that leaves too little time for that.
void leave_time(const MappingProblem& problem, const SearchControl& control,
                std::vector<PortfolioMember>& members) {
  if (!anneals_on_grid(problem, control)) return;
  for (PortfolioMember& member : members)
    member.min_seconds = member.seconds / (member.is_mainstay ? mainstay_share : start_share);
}

/// Share of the time of a portfolio for members where many ranks are a grid: those for grids take
/// little, and are the best there.
constexpr double large_grid_share = 0.08;

/// Takes what a mapper needs out of the time that is left, if there is enough.
bool take(double seconds, double& left) {
  if (seconds > left) return false;
  left -= seconds;
  return true;
}

/// Then it matters most who shares a host, which none of the quickest mappers looks at for long.
bool shares_hosts(const MappingProblem& problem) {
  return problem.guest.num_ranks() > problem.allocation.num_hosts();
}

/// The quickest of the members that do less where time is short takes the least it needs; empty if
/// there is none.
std::string take_patient(const MappingProblem& problem, const std::vector<PortfolioMember>& members,
                         double& left) {
  for (const PortfolioMember& member : members)
    if (!member.is_mainstay && member.min_seconds < member.seconds &&
        !unsupported_reason({member.name, {}}, problem) && take(member.min_seconds, left))
      return member.name;
  return {};
}

/// Whether what a mapper does is done by others and then, until the deadline, by the refinement.
bool repeats_refinement(const MapperInfo& info, const MappingProblem& problem,
                        const SearchControl& control) {
  return info.ends_in_annealing && info.ends_in_annealing(problem) &&
         anneals_on_grid(problem, control);
}

/// Of the mappers as many as the budget has time for, the quickest first. Where a deadline bounds
/// the time, the clock decides which are begun. The mainstay and what lays out grids on grids have
/// time before others. Where ranks share hosts, one that does less where time is short is among
/// them: it parts ranks far better than the quickest, but not the ranks of many on a grid.
/// @param share of the time of a portfolio that they may take without a deadline.
std::vector<PortfolioMember> members_that_fit(const MappingProblem& problem,
                                              const SearchControl& control, double share) {
  double left = control.deadline ? std::numeric_limits<double>::infinity()
                                 : share * portfolio_seconds(problem);
  std::vector<std::string> chosen;
  for (const MapperRole role : {MapperRole::mainstay, MapperRole::grid_layout})
    if (const MapperInfo& info = mapper_of(role); !unsupported_reason({info.name, {}}, problem))
      if (take(member_of(info, problem, control).seconds, left)) chosen.push_back(info.name);
  std::vector<PortfolioMember> members;
  for (const MapperInfo& info : all_mappers())
    if (!is_refiner(info) && info.self_contained && !info.runs_mappers &&
        !repeats_refinement(info, problem, control) && !scatters_many(info, problem, control))
      members.push_back(member_of(info, problem, control));
  chosen.push_back(keep_one_quick_beginner(problem, control, members));
  leave_time(problem, control, members);
  put_in_turn(problem, control, members);
  if (shares_hosts(problem) && !(problem.grid && ends_early(problem, control)))
    chosen.push_back(take_patient(problem, members, left));
  std::vector<PortfolioMember> fitting;
  for (PortfolioMember& member : members) {
    const bool has_time = std::find(chosen.begin(), chosen.end(), member.name) != chosen.end();
    const bool fits = has_time || (!member.is_mainstay && member.seconds <= left);
    if (!fits || unsupported_reason({member.name, {}}, problem)) continue;
    if (!has_time) take(member.seconds, left);
    fitting.push_back(std::move(member));
  }
  return fitting;
}

std::vector<PortfolioMember> named_members(const MappingProblem& problem,
                                           const SearchControl& control, std::string_view names) {
  std::vector<PortfolioMember> members;
  for (const std::string_view name : split(names, '+')) {
    const MapperInfo& info = find_mapper(name);
    if (info.runs_mappers)
      throw UsageError(fmt::format("{} cannot be a member of itself", info.name));
    if (const auto reason = unsupported_reason({info.name, {}}, problem))
      throw UsageError(fmt::format("member {} of portfolio {}", info.name, *reason));
    members.push_back(member_of(info, problem, control));
  }
  return members;
}

}  // namespace

std::vector<PortfolioMember> portfolio_members(const MappingProblem& problem,
                                               const SearchControl& control,
                                               std::string_view names) {
  const bool is_large_grid = problem.grid != nullptr && ends_early(problem, control);
  if (names == "auto")
    return members_that_fit(problem, control, is_large_grid ? large_grid_share : member_share);
  if (names == "quick") return members_that_fit(problem, control, quick_member_share);
  auto members = named_members(problem, control, names);
  put_in_turn(problem, control, members);
  return members;
}

std::vector<std::string> portfolio_refiners(const MappingProblem& problem,
                                            const SearchControl& control, double steps) {
  std::vector<std::string> names;
  for (const MapperInfo& info : all_mappers()) {
    if (!is_refiner(info) || !info.self_contained || info.role == MapperRole::descent) continue;
    const auto& is_useful = info.refiner.is_useful;
    if (!is_useful || is_useful(problem, control, steps_of_refiner(info, problem, steps)))
      names.push_back(info.name);
  }
  return names;
}

double steps_of_refiner(const MapperInfo& info, const MappingProblem& problem, double steps) {
  if (!info.refiner.seconds_per_step) return steps;
  const auto seconds = info.refiner.seconds_per_step(problem);
  return seconds ? steps * seconds_per_step(problem) / *seconds : steps;
}

}  // namespace vtopo::detail
