#include "sim/mapping/portfolio/portfolio_refinement.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "netmodels/routing.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"

namespace vtopo::detail {

namespace {

/// Share of the time of a usual portfolio for simulations.
constexpr double simulation_share = 0.3;

/// The same where the bound says little of the time, as of programs: a time so many times the
/// bound.
constexpr double share_with_loose_bound = 0.6;
constexpr double loose = 1.1;

/// A time so many times the bound is that of the busiest link, which refiners have relieved.
constexpr double tight = 1.0001;

/// The same where each simulation routes the traffic anew, which is most of what the search takes.
constexpr double share_with_routing = 3;

/// Times this close are the same but for rounding.
constexpr double same_time = 1e-9;

/// Changes of the best embedding that are looked at for each one that is simulated, at most.
constexpr std::int64_t changes_per_simulation = 64;
constexpr std::int64_t max_changes = 20'000;

/// Where a portfolio ends early: what is known to gain no more than this share is not simulated.
constexpr double worth_simulating = 0.005;

/// And simulations in turn that have found nothing better, at most.
constexpr int max_fruitless = 8;
constexpr int max_fruitless_of_slow = 2;  ///< where each of them routes the traffic anew

/// Seconds of work for simulations where all placements are looked at.
constexpr double seconds_for_all = 5;

/// What may be simulated: so many seconds of work, so many embeddings, until the deadline.
class SimulationBudget {
 public:
  SimulationBudget(const MappingProblem& problem, const SearchControl& control)
      : control_(control),
        work_(control.deadline ? std::numeric_limits<double>::infinity()
                               : simulation_share * portfolio_seconds(problem)),
        left_(control.steps.value_or(std::numeric_limits<std::int64_t>::max())) {}

  /// Whether another simulation, as long as the last one, has time.
  bool has_time() const {
    if (control_.must_stop() || left_ <= 0 || work_ <= 0) return false;
    const auto left = time_left(control_);
    return !left || last_.count() < left->count();
  }

  void add(double seconds) { work_ += seconds; }

  /// For all placements of a problem that has few of them, whatever has been simulated before.
  void allow_all() {
    if (!control_.deadline) work_ = seconds_for_all;
    left_ = max_placements;
  }

  std::optional<PredictedTime> simulate(const Embedding& embedding) {
    const auto start = std::chrono::steady_clock::now();
    auto predicted = control_.time.simulate(embedding);
    last_ = std::chrono::steady_clock::now() - start;
    --left_;
    ++fruitless_;
    if (predicted) work_ -= predicted->work;
    return predicted;
  }

  /// Something better was found.
  void improved() { fruitless_ = 0; }

  /// How many simulations have found nothing since.
  int fruitless() const { return fruitless_; }

 private:
  const SearchControl& control_;
  double work_;  ///< seconds
  std::int64_t left_;
  int fruitless_ = 0;
  std::chrono::duration<double> last_{0};
};

/// A candidate with what its time is known to be above.
struct Bounded {
  const Candidate* candidate = nullptr;
  double bound = 0;  ///< seconds
  double hop_bytes = 0;
};

class FastestCandidate {
 public:
  FastestCandidate(const MappingProblem& problem, const SearchControl& control,
                   const CandidatePool& pool)
      : problem_(problem), control_(control), pool_(pool), budget_(problem, control) {}

  Candidate run(bool refine) {
    if (control_.must_stop()) return pool_.best();
    for (const Bounded& next : in_turn())
      if (!best_ || goes_on() || (next.candidate->embedding == given() && has_cheap_bounds()))
        consider(next);
    if (!best_) return pool_.best();
    const double bound = has_cheap_bounds() ? bound_of(best_->embedding) : 0;
    if (seconds_ > loose * bound)
      budget_.add(
          ((has_cheap_bounds() ? share_with_loose_bound : share_with_routing) - simulation_share) *
          portfolio_seconds(problem_));
    // Changes of single ranks gain little among many.
    const bool few = has_few_placements(problem_);
    if (refine && !ends_early(problem_, control_) && (few || seconds_ > tight * bound))
      few ? try_all() : shorten();
    return std::move(*best_);
  }

 private:
  bool goes_on() const {
    return budget_.has_time() &&
           (!ends_early(problem_, control_) ||
            budget_.fruitless() < (has_cheap_bounds() ? max_fruitless : max_fruitless_of_slow));
  }

  /// Where routes follow from the traffic, a bound takes as long as a simulation, which is counted.
  bool has_cheap_bounds() const { return !depends_on_traffic(problem_.network.routing()); }

  double bound_of(const Embedding& embedding) const {
    return control_.time.bound ? control_.time.bound(embedding).value : 0;
  }

  double hop_bytes_of(const Embedding& embedding) const {
    return cost_of({}, problem_.guest, problem_.network, embedding).front();
  }

  const Embedding& given() const {
    return control_.start != nullptr ? *control_.start : pool_.best().embedding;
  }

  /// That of the least bound, the given embedding, then by turns those of the least bounds and
  /// those of the fewest hop-bytes: the bound is not all that makes the time.
  std::vector<Bounded> in_turn() const {
    std::vector<Bounded> by_bound;
    for (const Candidate& candidate : pool_.candidates()) {
      if (!is_worth_a_look(candidate)) continue;
      const bool is_bounded = has_cheap_bounds() || !ends_early(problem_, control_);
      by_bound.push_back({&candidate, is_bounded ? bound_of(candidate.embedding) : 0.0,
                          hop_bytes_of(candidate.embedding)});
    }
    std::vector<Bounded> by_hops = by_bound;
    std::ranges::stable_sort(by_bound, {}, &Bounded::bound);
    std::ranges::stable_sort(by_hops, {}, &Bounded::hop_bytes);
    std::vector<Bounded> turns;
    const auto take = [&](const Bounded& next) {
      if (std::ranges::find(turns, next.candidate, &Bounded::candidate) == turns.end())
        turns.push_back(next);
    };
    take(by_bound.front());
    for (const Bounded& next : by_bound)
      if (next.candidate->embedding == given()) take(next);
    for (std::size_t i = 0; i < by_bound.size(); ++i) {
      take(by_bound[i]);
      take(by_hops[i]);
    }
    return turns;
  }

  /// Whether no other candidate costs much less by the objective: what costs so many times the best
  /// is not looked at where that would take long.
  bool is_worth_a_look(const Candidate& candidate) const {
    constexpr double far_behind = 1.5;
    return has_cheap_bounds() || !ends_early(problem_, control_) ||
           candidate.cost.front() <= far_behind * pool_.best().cost.front();
  }

  /// Whether a time is shorter than the best, or as long with fewer hop-bytes.
  bool is_better(double seconds, double hop_bytes) const {
    if (!best_) return true;
    const double slack = same_time * seconds_;
    return seconds < seconds_ - slack || (seconds <= seconds_ + slack && hop_bytes < hop_bytes_);
  }

  void consider(const Bounded& next) {
    if (!is_better(next.bound, next.hop_bytes)) return;
    if (best_ && ends_early(problem_, control_) && next.bound > (1 - worth_simulating) * seconds_)
      return;
    auto predicted = budget_.simulate(next.candidate->embedding);
    if (!predicted || !is_better(predicted->makespan.value, next.hop_bytes)) return;
    best_ = *next.candidate;
    take_time(std::move(*predicted), next.hop_bytes);
  }

  void take_time(PredictedTime predicted, double hop_bytes) {
    seconds_ = predicted.makespan.value;
    last_ = std::move(predicted.last);
    hop_bytes_ = hop_bytes;
    budget_.improved();
    control_.report_value(seconds_);
  }

  /// A placement whose largest congestion, which its time is not below, and hop-bytes are known.
  struct Placed {
    Cost cost;
    std::vector<Place> places;
  };

  /// Whether the time, not below a bound, may be shorter than the best, or as long with fewer
  /// hop-bytes; unlike `is_better` not by rounding.
  bool may_be_better(double bound, double hop_bytes) const {
    return costs_less({bound}, {seconds_}) ||
           (!costs_less({seconds_}, {bound}) && costs_less({hop_bytes}, {hop_bytes_}));
  }

  /// Every placement that may be better, those of the least congestion and hop-bytes first.
  void try_all() {
    std::vector<Placed> all;
    visit_placements(
        problem_, control_, max_congestion_first(), best_->embedding,
        [&](const ObjectiveState& state) {
          if (may_be_better(state.cost()[0], state.cost()[1]))
            all.push_back({{state.cost()[0], state.cost()[1]}, state.occupancy().places()});
        });
    std::ranges::stable_sort(all, costs_less, &Placed::cost);
    const Occupancy occupancy(problem_.allocation, best_->embedding);
    budget_.allow_all();
    bool improved = false;
    for (const auto& [cost, places] : all) {
      if (!may_be_better(cost[0], cost[1])) continue;
      if (!budget_.has_time()) break;
      improved = try_placement(occupancy.embedding_of(places)) || improved;
    }
    if (!improved) return;
    best_->cost = cost_of(problem_.objective, problem_.guest, problem_.network, best_->embedding);
    best_->origin = "all placements";
  }

  bool try_placement(const Embedding& embedding) {
    const double hop_bytes = hop_bytes_of(embedding);
    if (has_cheap_bounds() && !may_be_better(bound_of(embedding), hop_bytes)) return false;
    auto predicted = budget_.simulate(embedding);
    if (!predicted || !may_be_better(predicted->makespan.value, hop_bytes)) return false;
    best_->embedding = embedding;
    take_time(std::move(*predicted), hop_bytes);
    return true;
  }

  /// Changes of ranks that finish last, and of any.
  void shorten() {
    Occupancy occupancy(problem_.allocation, best_->embedding);
    const Partners partners(problem_.guest);
    const HopTable table(problem_.network, problem_.allocation);
    ChangeDraw draw(problem_, partners, table, occupancy);
    bool improved = false;
    std::int64_t changes = max_changes;
    for (std::int64_t left = changes_per_simulation; changes > 0 && left > 0 && goes_on();
         --changes) {
      const auto change = next_change(draw);
      if (!change) continue;
      const RankChange back{change->rank, change->other, occupancy.place_of(change->rank)};
      occupancy.apply(*change);
      --left;
      if (try_embedding(occupancy.embedding(), left))
        improved = true;
      else
        occupancy.apply(back);
    }
    if (!improved) return;
    best_->embedding = occupancy.embedding();
    best_->cost = cost_of(problem_.objective, problem_.guest, problem_.network, best_->embedding);
    best_->origin += ", shortened by simulation";
  }

  std::optional<RankChange> next_change(ChangeDraw& draw) {
    if (last_.empty() || draw.below(2) == 0) return draw.next();
    const Rank rank = last_[draw.below(last_.size())];
    return draw.into(rank, draw.near_partner(rank));
  }

  bool try_embedding(const Embedding& embedding, std::int64_t& left) {
    if (has_cheap_bounds() && bound_of(embedding) >= seconds_ * (1 - same_time)) return false;
    left = changes_per_simulation;
    auto predicted = budget_.simulate(embedding);
    if (!predicted || predicted->makespan.value >= seconds_ * (1 - same_time)) return false;
    take_time(std::move(*predicted), hop_bytes_of(embedding));
    return true;
  }

  const MappingProblem& problem_;
  const SearchControl& control_;
  const CandidatePool& pool_;
  SimulationBudget budget_;
  std::optional<Candidate> best_;
  double seconds_ = 0;      ///< of the best
  double hop_bytes_ = 0;    ///< of the best
  std::vector<Rank> last_;  ///< of the best
};

}  // namespace

Candidate fastest_candidate(const MappingProblem& problem, const SearchControl& control,
                            const CandidatePool& pool, bool refine) {
  return FastestCandidate(problem, control, pool).run(refine);
}

}  // namespace vtopo::detail
