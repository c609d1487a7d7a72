#include "sim/mapping/search/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/pressure_state.hpp"

namespace vtopo::detail {

namespace {

/// In units of the pressure of the most loaded link.
constexpr double last_temperature = 0.002;

/// Links that carry at least such a share of the most loaded one are hot; one change in so many
/// moves a rank whose flows cross them.
constexpr double hot_share = 0.8;
constexpr std::size_t changes_per_hot_one = 2;

/// Changes between two looks at the loads, at least.
constexpr std::int64_t min_round = 1024;

class LinkAnnealing {
 public:
  LinkAnnealing(const MappingProblem& problem, const SearchControl& control, const Embedding& start,
                const LinkHeat& heat, std::int64_t default_steps)
      : progress_(control.progress),
        heat_(heat),
        state_(problem, start),
        draw_(problem, state_.partners(), state_.table(), state_.occupancy()),
        budget_(control, default_steps, 64),
        least_(state_.links().max_congestion()),
        best_(state_.occupancy().places()) {}

  Embedding run() {
    const std::int64_t round = std::max<std::int64_t>(state_.occupancy().num_ranks(), min_round);
    while (!budget_.spent() && start_round()) {
      for (std::int64_t i = 0; i < round && budget_.take(); ++i) step();
      keep_best();
    }
    return state_.occupancy().embedding_of(best_);
  }

 private:
  /// @returns false if no link is loaded.
  bool start_round() {
    const double done = budget_.fraction();
    if (progress_) progress_(done);
    temperature_ = heat_.temperature * std::pow(last_temperature / heat_.temperature, done);
    const Seconds most = state_.links().max_congestion();
    if (most.value <= 0) return false;
    state_.set_reference(most, heat_.linear_part);
    find_hot_ranks(most * hot_share);
    return true;
  }

  /// Both ends of every flow over a link of at least such a congestion.
  void find_hot_ranks(Seconds least) {
    hot_.clear();
    const Occupancy& occupancy = state_.occupancy();
    for (int r = 0; r < occupancy.num_ranks(); ++r)
      for (const Partner& partner : state_.partners().of(Rank{r})) {
        if (partner.sent.value <= 0) continue;
        if (!crosses(occupancy.place_of(Rank{r}), occupancy.place_of(partner.rank), least))
          continue;
        hot_.push_back(Rank{r});
        hot_.push_back(partner.rank);
      }
  }

  bool crosses(Place from, Place to, Seconds least) {
    bool found = false;
    state_.for_each_link(from, to, [&](LinkId link, double) {
      found = found || state_.links().congestion(link) >= least;
    });
    return found;
  }

  std::optional<RankChange> draw() {
    if (hot_.empty() || draw_.below(changes_per_hot_one) > 0) return draw_.next();
    const Rank rank = hot_[draw_.below(hot_.size())];
    return draw_.into(rank, draw_.near_partner(rank));
  }

  void step() {
    if (const auto change = draw()) try_change(state_, *change, temperature_, thresholds_, draw_);
  }

  void keep_best() {
    const Seconds most = state_.links().max_congestion();
    if (most > least_) return;
    least_ = most;
    best_ = state_.occupancy().places();
  }

  Progress progress_;
  LinkHeat heat_;
  PressureState state_;
  ChangeDraw draw_;
  Budget budget_;
  AcceptanceThresholds thresholds_;
  double temperature_ = 0;
  std::vector<Rank> hot_;  ///< each as often as flows of theirs cross hot links
  Seconds least_;
  std::vector<Place> best_;
};

}  // namespace

Embedding anneal_links(const MappingProblem& problem, const SearchControl& control,
                       const Embedding& start, const LinkHeat& heat, std::int64_t default_steps) {
  return LinkAnnealing(problem, control, start, heat, default_steps).run();
}

}  // namespace vtopo::detail
