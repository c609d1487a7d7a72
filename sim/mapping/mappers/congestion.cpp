#include <algorithm>
#include <span>
#include <vector>

#include "sim/mapping/search/annealing.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "sim/mapping/state/link_loads.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::mappers {

// Starts to choose from.
MapperInfo block();
MapperInfo greedy();
MapperInfo bisection();

namespace {

constexpr std::int64_t congestion_steps_per_rank = 200;

/// An annealing and what it takes of the budget that is left.
struct Stage {
  LinkHeat heat;
  double share;
};

/// Descent has the rest of the budget. Small problems get out of a bad start in hot stages that
/// mind short routes more; large ones would lose there what a good start is worth.
constexpr Stage stages_of_large[] = {{{0.02, 0.1}, 0.85}};
constexpr Stage stages_of_small[] = {{{1, 1}, 0.3}, {{0.1, 0.3}, 0.3}, {{0.02, 0.1}, 0.7}};
constexpr int max_ranks_of_small = 256;

std::span<const Stage> stages(int num_ranks) {
  if (num_ranks <= max_ranks_of_small) return stages_of_small;
  return stages_of_large;
}

/// Changes tried for each rank on a loaded link in each round.
constexpr int tries_per_rank = 24;

/// Links that carry at least such a share of the most loaded one are relieved: first the top, then,
/// where nothing helps there, more of them, which lowers the sum of squares.
constexpr double shares_of_top[] = {1 - 1e-9, 0.9, 0.7, 0.4};

/// A rank with what its flows put on the most loaded links.
struct Culprit {
  Rank rank{};
  double bytes = 0;
};

/// Descent on the exact objective.
class Relief {
 public:
  Relief(const MappingProblem& problem, const SearchControl& control, const Embedding& start,
         std::int64_t default_steps)
      : problem_(problem),
        progress_(control.progress),
        state_(problem, start, max_congestion_first()),
        draw_(problem, state_.partners(), state_.table(), state_.occupancy()),
        budget_(control, default_steps, 16) {}

  Embedding run() {
    std::size_t level = 0;
    while (level < std::size(shares_of_top) && !budget_.spent())
      level = relieve(shares_of_top[level]) ? 0 : level + 1;
    if (progress_) progress_(1);
    return state_.occupancy().embedding();
  }

 private:
  /// One round over the ranks whose flows cross the most loaded links.
  bool relieve(double share_of_top) {
    bool improved = false;
    for (const Culprit& culprit : culprits(share_of_top)) {
      if (budget_.spent()) break;
      if (progress_) progress_(budget_.fraction());
      improved = try_changes(culprit.rank) || improved;
    }
    return improved;
  }

  /// Heaviest first.
  std::vector<Culprit> culprits(double share_of_top) {
    const Seconds least = state_.loads().max_congestion() * share_of_top;
    if (least.value <= 0) return {};
    std::vector<double> bytes(static_cast<std::size_t>(state_.occupancy().num_ranks()), 0.0);
    for (int r = 0; r < state_.occupancy().num_ranks(); ++r)
      for (const Partner& partner : state_.partners().of(Rank{r})) {
        const double crossing = partner.sent.value * share_above(Rank{r}, partner.rank, least);
        bytes[index(Rank{r})] += crossing;
        bytes[index(partner.rank)] += crossing;
      }
    std::vector<Culprit> result;
    for (std::size_t r = 0; r < bytes.size(); ++r)
      if (bytes[r] > 0) result.push_back({id_at<Rank>(r), bytes[r]});
    std::stable_sort(result.begin(), result.end(),
                     [](const Culprit& a, const Culprit& b) { return a.bytes > b.bytes; });
    return result;
  }

  /// Sum of the shares of a flow on links of at least such a congestion.
  double share_above(Rank from, Rank to, Seconds least) {
    const Place source = state_.occupancy().place_of(from);
    const Place destination = state_.occupancy().place_of(to);
    if (source == destination) return 0;
    double sum = 0;
    const auto& hosts = problem_.allocation.hosts;
    state_.loads().routes().for_each_link(hosts[index(source)], hosts[index(destination)],
                                          [&](LinkId link, double share) {
                                            if (state_.loads().congestion(link) >= least)
                                              sum += share;
                                          });
    return sum;
  }

  bool try_changes(Rank rank) {
    bool improved = false;
    for (int i = 0; i < tries_per_rank; ++i) {
      const auto change = draw_.into(rank, draw_.near_partner(rank));
      if (!budget_.take()) return improved;
      if (!change) continue;
      state_.probe(*change);
      if (state_.improves()) {
        state_.commit();
        improved = true;
      } else {
        state_.reject();
      }
    }
    return improved;
  }

  const MappingProblem& problem_;
  Progress progress_;
  ObjectiveState state_;
  ChangeDraw draw_;
  Budget budget_;
};

Embedding map_congestion(const MappingProblem& problem, const SearchControl& control);

/// Whether the largest congestion is a part of the objective.
bool counts_congestion(const MappingProblem& problem, const SearchControl&, double /*steps*/) {
  return counts(problem.objective, max_congestion_measure());
}

}  // namespace

/// Congestion refinement with exact routes. First simulated annealing on a smooth stand-in for the
/// largest congestion, then descent: ranks whose flows cross the most loaded links change places
/// with ranks near their partners, or move into free slots there, if that lowers the largest
/// congestion, at a tie the sum of squares of the congestions, at a tie the hop-bytes. Loads are
/// updated along the routes of the flows that a change touches. Never worse than its start in the
/// largest congestion, at a tie in the hop-bytes, which is what it lowers whatever the objective.
/// M. Deveci, K. Kaya, B. Ucar and U. V. Catalyurek, "Fast and high quality topology-aware task
/// mapping" (IPDPS 2015); S. W. Bollinger and S. F. Midkiff, "Processor and link assignment in
/// multicomputers using simulated annealing" (ICPP 1988).
MapperInfo congestion() {
  return {.name = "congestion",
          .summary = "takes flows off the most loaded links, by exact routes",
          .reference = "Deveci et al., IPDPS 2015; Bollinger and Midkiff, ICPP 1988",
          .options = {{"start",
                       "mapper whose embedding is refined; best: of block, greedy and bisection",
                       "best"}},
          .map = map_congestion,
          .role = MapperRole::congestion_refiner,
          .uses_seed = true,
          .anytime = true,
          .refiner = {.is_useful = counts_congestion}};
}

namespace {

Embedding start_of_congestion(const MappingProblem& problem, const SearchControl& control) {
  if (control.start != nullptr || option_value(congestion(), problem, "start") != "best")
    return start_of(congestion(), problem, control);
  const SearchControl silent = without_progress(control);
  Embedding best = run_mapper({block().name, {}}, problem, silent);
  for (const MapperInfo& mapper : {greedy(), bisection()})
    best = better_of(problem, max_congestion_first(), best,
                     run_mapper({mapper.name, {}}, problem, silent));
  return best;
}

Embedding map_congestion(const MappingProblem& problem, const SearchControl& control) {
  Embedding best = start_of_congestion(problem, control);
  const std::int64_t default_steps =
      congestion_steps_per_rank * std::max(problem.guest.num_ranks(), 64);
  SearchControl rest = control;
  for (const Stage& stage : stages(problem.guest.num_ranks())) {
    const SearchControl part = without_progress(share_of_search(rest, stage.share));
    best = better_of(problem, max_congestion_first(), best,
                     anneal_links(problem, part, best, stage.heat, default_steps));
    if (rest.steps) *rest.steps -= *part.steps;
  }
  return better_of(problem, max_congestion_first(), best,
                   Relief(problem, rest, best, default_steps / 4).run());
}

}  // namespace

}  // namespace vtopo::detail::mappers
