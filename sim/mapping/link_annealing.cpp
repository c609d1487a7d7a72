#include "sim/mapping/link_annealing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/mapping/budget.hpp"
#include "sim/mapping/change_draw.hpp"
#include "sim/mapping/pressure_state.hpp"

namespace vtopo {

namespace {

double env(const char* n, double d) {
  const char* s = std::getenv(n);
  return s ? std::atof(s) : d;
}

/// In units of the pressure of the most loaded link.
const double first_temperature = env("CT0", 0.05);
const double last_temperature = env("CT1", 0.005);

/// What the congestion of a link counts beside its power.
const double linear_part = env("CL", 0.05);

/// Links that carry at least such a share of the most loaded one are hot.
const double hot_share = env("CH", 0.8);
const std::size_t hot_every = static_cast<std::size_t>(env("CE", 2));

constexpr std::int64_t least_round = 1024;

/// -ln of uniform numbers: a rise is accepted if it is less than temperature * threshold.
class RiseThresholds {
 public:
  RiseThresholds() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(values_.size()));
  }
  double draw(ChangeDraw& random) const { return values_[random.below(values_.size())]; }

 private:
  std::array<double, 4096> values_;
};

class LinkAnnealing {
 public:
  LinkAnnealing(const MappingProblem& problem, const Embedding& start, std::int64_t default_steps)
      : problem_(problem),
        state_(problem, start),
        draw_(state_.partners(), state_.table(), state_.seats(), problem.seed),
        budget_(problem, default_steps, 64),
        least_(state_.links().max_congestion()),
        best_(state_.seats().places()) {}

  Embedding run() {
    const std::int64_t round = std::max<std::int64_t>(state_.seats().num_ranks(), least_round);
    while (!budget_.spent() && start_round()) {
      for (std::int64_t i = 0; i < round && budget_.take(); ++i) step();
      keep_best();
    }
    return state_.seats().embedding_of(best_);
  }

 private:
  /// @returns false if no link is loaded.
  bool start_round() {
    const double done = budget_.fraction();
    if (problem_.progress) problem_.progress(done);
    temperature_ = first_temperature * std::pow(last_temperature / first_temperature, done);
    const Seconds most = state_.links().max_congestion();
    if (most.value <= 0) return false;
    state_.set_reference(most, linear_part);
    find_hot_ranks(most * hot_share);
    return true;
  }

  void find_hot_ranks(Seconds least) {
    hot_.clear();
    const Seats& seats = state_.seats();
    for (int r = 0; r < seats.num_ranks(); ++r)
      for (const Partner& partner : state_.partners().of(Rank{r})) {
        if (partner.sent.value <= 0) continue;
        bool crosses = false;
        state_.for_each_link(seats.place_of(Rank{r}), seats.place_of(partner.rank),
                             [&](LinkId link, double) {
                               crosses = crosses || state_.links().congestion(link) >= least;
                             });
        if (!crosses) continue;
        hot_.push_back(Rank{r});
        hot_.push_back(partner.rank);
      }
  }

  std::optional<RankChange> draw() {
    if (hot_.empty() || draw_.below(hot_every) > 0) return draw_.next();
    const Rank rank = hot_[draw_.below(hot_.size())];
    return draw_.into(rank, draw_.near_partner(rank));
  }

  void step() {
    const auto change = draw();
    if (!change) return;
    const double delta = state_.probe(*change);
    if (delta <= 0 || delta < temperature_ * thresholds_.draw(draw_))
      state_.commit();
    else
      state_.reject();
  }

  void keep_best() {
    const Seconds most = state_.links().max_congestion();
    if (std::getenv("CV"))
      std::fprintf(stderr, "%.3f T %.4f max %.4g best %.4g P %.4g hot %zu\n", budget_.fraction(),
                   temperature_, most.value * 1e10, least_.value * 1e10, state_.links().total(),
                   hot_.size());
    if (most > least_) return;
    least_ = most;
    best_ = state_.seats().places();
  }

  const MappingProblem& problem_;
  PressureState state_;
  ChangeDraw draw_;
  Budget budget_;
  RiseThresholds thresholds_;
  double temperature_ = 0;
  std::vector<Rank> hot_;  ///< as often as flows of theirs cross hot links
  Seconds least_;
  std::vector<Place> best_;
};

}  // namespace

Embedding anneal_links(const MappingProblem& problem, const Embedding& start,
                       std::int64_t default_steps) {
  return LinkAnnealing(problem, start, default_steps).run();
}

}  // namespace vtopo
