#include "sim/mapping/portfolio/all_placements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "netmodels/routing.hpp"

namespace vtopo::detail {

namespace {

/// Of more ranks no two hosts with two slots each have few placements.
constexpr int max_ranks_of_few = 1024;

/// Sums of a state have been changed as often as there are placements.
constexpr double slack_of_sums = 1e-9;

/// Places the ranks one after the other: on each host that has a slot left, where a later rank
/// makes room if need be.
class PlacementWalk {
 public:
  PlacementWalk(const MappingProblem& problem, const SearchControl& control, ObjectiveState& state,
                const std::function<void(const ObjectiveState&)>& visit)
      : control_(control), state_(state), visit_(visit), left_(problem.allocation.slots) {}

  void place_from(int rank) {
    if (rank == state_.occupancy().num_ranks()) return visit_(state_);
    for (int p = 0; p < state_.occupancy().num_places() && !control_.must_stop(); ++p) {
      if (left_[index(p)] == 0) continue;
      move(Rank{rank}, id_at<Place>(index(p)));
      --left_[index(p)];
      place_from(rank + 1);
      ++left_[index(p)];
    }
  }

 private:
  void move(Rank rank, Place to) {
    const Occupancy& now = state_.occupancy();
    if (now.place_of(rank) == to) return;
    RankChange change{rank, std::nullopt, to};
    if (!now.has_free_slot(to)) {
      const auto there = now.ranks_at(to);
      change.other =
          *std::find_if(there.begin(), there.end(), [&](Rank other) { return other > rank; });
    }
    state_.probe(change);
    state_.commit();
  }

  const SearchControl& control_;
  ObjectiveState& state_;
  const std::function<void(const ObjectiveState&)>& visit_;
  std::vector<int> left_;  ///< slots of every place that the ranks before do not have
};

}  // namespace

double count_placements(int num_ranks, const Allocation& allocation) {
  if (num_ranks > max_ranks_of_few) return std::numeric_limits<double>::infinity();
  // Ways to place so many of the ranks on the hosts before.
  std::vector<double> ways(index(num_ranks) + 1, 0.0);
  ways[0] = 1;
  for (const int slots : allocation.slots) {
    if (ways.back() > max_placements) break;
    for (std::size_t placed = ways.size(); placed-- > 0;) {
      double chosen = 1;  // sets of ranks for this host
      for (std::size_t more = 1; more <= index(slots) && placed + more < ways.size(); ++more) {
        const auto left = static_cast<double>(ways.size() - placed - more);
        chosen *= left / static_cast<double>(more);
        ways[placed + more] += ways[placed] * chosen;
      }
    }
  }
  return ways.back();
}

bool has_few_placements(const MappingProblem& problem) {
  return !depends_on_traffic(problem.host.routing()) &&
         count_placements(problem.guest.num_ranks(), problem.allocation) <= max_placements + 0.5;
}

void visit_placements(const MappingProblem& problem, const SearchControl& control,
                      const Objective& objective, const Embedding& start,
                      const std::function<void(const ObjectiveState&)>& visit) {
  ObjectiveState state(problem, start, objective);
  PlacementWalk(problem, control, state, visit).place_from(0);
}

bool costs_less(const Cost& a, const Cost& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double slack = slack_of_sums * std::abs(b[i]);
    if (a[i] < b[i] - slack) return true;
    if (a[i] > b[i] + slack) return false;
  }
  return false;
}

}  // namespace vtopo::detail
