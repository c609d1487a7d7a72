#include "sim/mapping/search/annealing.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <memory>
#include <variant>

#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/mapping/state/slot_state.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_slots = 16'000'000;

/// Temperatures in units of the one at which a start from recursive bisection would neither rise
/// nor fall: the first is the least one or, with more steps per rank, their decimal logarithm less
/// `cold`, because the more time there is, the more of the start may melt. Found by trial on random
/// geometric graphs, regular and power-law graphs and stencils, as the next three.
struct HeatRange {
  double cold;
  double most;
  double last;
};
constexpr double min_heat = 1;
constexpr HeatRange on_grids{.cold = 0.3, .most = 5, .last = 0.5};
constexpr HeatRange by_routers{.cold = 1, .most = 4, .last = 0.3};

/// That unit on tori and meshes, in units of the volume of a rank. A start that was refined before
/// is frozen at temperatures far below: with fewer steps per rank than this it is not melted again.
constexpr double unit_per_volume = 0.12;
constexpr double steps_that_melt = 500;

/// The last of the steps only go down.
constexpr double share_of_descent = 0.03;

/// Bounds of the unit found from a start, in units of what a random change costs on average.
constexpr double min_unit = 1e-3;
constexpr double max_unit = 1;

/// Where the problem gives a time only: about what one core does in a second.
constexpr double steps_per_second = 5e6;

/// Changes looked at to find the unit: one per rank, but for these bounds.
constexpr int min_sampled = 1024;
constexpr int max_sampled = 8192;

/// How many of the places near a partner are sampled: on a torus of three dimensions those one
/// hop away.
constexpr std::uint64_t num_near = 6;

template <class Codes>
class HopAnnealing {
 public:
  HopAnnealing(const MappingProblem& problem, const SearchControl& control, const Codes& codes,
               const Embedding& start, std::int64_t default_steps)
      : problem_(problem),
        control_(control),
        default_steps_(default_steps),
        state_(problem, codes, start),
        near_(shared_near_places(problem, &MappingProblem::Shared::by_network, problem.network,
                                 problem.allocation)),
        budget_(control, default_steps),
        random_(problem.seed),
        best_energy_(state_.energy()),
        best_(state_.slots()) {}

  Embedding run() {
    report();
    if (state_.num_ranks() > 0 && state_.num_slots() > 1 && !budget_.spent()) {
      set_temperatures();
      anneal();
    }
    keep_best();
    if (control_.progress) control_.progress(1);
    std::vector<Place> places;
    places.reserve(best_.size());
    for (const std::int32_t slot : best_) places.push_back(Place{state_.place_of_slot(slot)});
    return embedding_at(places, problem_.allocation);
  }

 private:
  static constexpr std::int64_t steps_per_temperature = 1024;
  static constexpr std::int64_t batch = 16;

  /// A change to be tried, with random bits.
  struct Sampled {
    std::uint64_t bits;
    std::size_t rank;
    std::int32_t to;
  };

  void anneal() {
    const auto between_looks = static_cast<std::int64_t>(state_.num_ranks());
    std::int64_t since_look = 0;
    for (;;) {
      const std::int64_t steps = budget_.take(steps_per_temperature);
      if (steps == 0) break;
      cool();
      for (std::int64_t done = 0; done < steps; done += batch)
        make_steps(static_cast<std::size_t>(std::min(batch, steps - done)));
      since_look += steps;
      if (since_look < between_looks) continue;
      since_look = 0;
      keep_best();
    }
  }

  std::int32_t draw_target(std::size_t rank, std::uint64_t bits) {
    const auto pulls = state_.pulls_of(rank);
    if (pulls.empty() || (bits & 63) == 0) {
      const std::uint64_t far = random_.bits() >> 32;
      return static_cast<std::int32_t>(far * state_.num_slots() >> 32);
    }
    std::size_t chosen = (bits >> 6 & 0xffff) * pulls.size() >> 16;
    for (std::size_t i = 1; i < pulls.size() && state_.alike(rank, pulls[chosen].rank); ++i)
      chosen = chosen + 1 < pulls.size() ? chosen + 1 : 0;
    const std::int32_t partner = pulls[chosen].rank;
    if (state_.by_router() && (bits >> 22 & 7) > 0) return draw_close(partner, bits);
    const std::int32_t around = state_.place_of(static_cast<std::size_t>(partner));
    const auto near = near_->of(Place{around});
    // Where hosts have several slots, the partner's own host is one of the places near it.
    const std::uint64_t own = state_.one_slot() && !near.empty() ? 0 : 1;
    const std::uint64_t count = std::min<std::uint64_t>(near.size(), num_near) + own;
    const std::size_t drawn = (bits >> 22 & 0xffff) * count >> 16;
    const std::int32_t place = drawn < own ? around : number(near[drawn - own]);
    return state_.slot_at(place, bits >> 38 & 0xffff);
  }

  /// Where ranks swap routers, those at the border of both change places: the partner or one of
  /// its partners.
  std::int32_t draw_close(std::int32_t partner, std::uint64_t bits) const {
    const auto pulls = state_.pulls_of(static_cast<std::size_t>(partner));
    if ((bits >> 25 & 3) > 0) partner = pulls[(bits >> 38 & 0xffff) * pulls.size() >> 16].rank;
    return state_.slots()[static_cast<std::size_t>(partner)];
  }

  /// Changes are sampled some steps ahead, so that their places are fetched side by side: after a
  /// change among them a target may be one that was near a partner a moment ago.
  void make_steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t bits = random_.bits();
      const std::size_t rank = (bits >> 32) * state_.num_ranks() >> 32;
      ahead_[i] = {bits, rank, draw_target(rank, random_.bits())};
    }
    for (std::size_t i = 0; i < count; ++i) step(ahead_[i]);
  }

  void step(const Sampled& sampled) {
    const auto& [bits, rank, to] = sampled;
    if (state_.slots()[rank] == to || state_.changes_nothing(rank, to)) return;
    const auto most = static_cast<std::int64_t>(temperature_ * thresholds_.of(bits));
    const std::int64_t delta = state_.probe(rank, to, most);
    if (delta > most) return;
    state_.commit(delta);
    ++made_;
    assert((state_.num_ranks() > 64 && made_ % 4096 != 0) ||
           state_.energy() == state_.recomputed());
  }

  /// Mean change of the cost per random change at a temperature.
  static double drift(const std::vector<double>& changes, double temperature) {
    double sum = 0;
    for (const double change : changes)
      sum += change > 0 ? change * std::exp(-change / temperature) : change;
    return sum;
  }

  void set_temperatures() {
    std::vector<double> changes;
    double sum = 0;
    const int samples = std::clamp(static_cast<int>(state_.num_ranks()), min_sampled, max_sampled);
    for (int i = 0; i < samples; ++i) {
      const std::size_t rank = (random_.bits() >> 32) * state_.num_ranks() >> 32;
      const std::int32_t to = draw_target(rank, random_.bits());
      if (state_.slots()[rank] == to || state_.changes_nothing(rank, to)) continue;
      changes.push_back(static_cast<double>(state_.probe(rank, to, SlotState<Codes>::too_much)));
      sum += std::abs(changes.back());
    }
    const double mean = changes.empty() ? 0 : sum / static_cast<double>(changes.size());
    double low = mean * min_unit, unit = mean * max_unit;
    if (drift(changes, unit) > 0)
      for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(low * unit);
        (drift(changes, middle) > 0 ? unit : low) = middle;
      }
    const double steps = steps_per_rank();
    if (!state_.by_router() && (steps >= steps_that_melt || unit > unit_per_volume * volume()))
      unit = unit_per_volume * volume();
    constexpr HeatRange range = SlotState<Codes>::by_router() ? by_routers : on_grids;
    const double logarithm = std::log10(std::max(steps, 1.0));
    const double heat = std::clamp(logarithm - range.cold, min_heat, range.most);
    first_temperature_ = heat * unit;
    cooling_ = range.last / heat;
  }

  /// What a rank exchanges with all its partners, on average.
  double volume() const {
    double sum = 0;
    for (std::size_t r = 0; r < state_.num_ranks(); ++r) sum += state_.volume_of(r);
    return sum / static_cast<double>(state_.num_ranks());
  }

  double steps_per_rank() const {
    double steps = static_cast<double>(control_.steps.value_or(default_steps_));
    if (const auto left = time_left(control_)) {
      const double in_time = std::max(left->count(), 0.0) * steps_per_second;
      steps = control_.steps ? std::min(steps, in_time) : in_time;
    }
    return steps / static_cast<double>(state_.num_ranks());
  }

  void cool() {
    const double done = budget_.fraction();
    temperature_ = first_temperature_ * std::pow(cooling_, done);
    if (done > 1 - share_of_descent) temperature_ = 0;
    if (control_.progress) control_.progress(done);
  }

  void keep_best() {
    if (state_.energy() >= best_energy_) return;
    best_energy_ = state_.energy();
    best_ = state_.slots();
    report();
  }

  void report() const {
    if (is_hop_bytes(problem_.objective))
      control_.report_value(static_cast<double>(best_energy_) * state_.unit(), budget_.done());
  }

  const MappingProblem& problem_;
  const SearchControl& control_;
  std::int64_t default_steps_;
  SlotState<Codes> state_;
  std::shared_ptr<const NearPlaces> near_;
  Budget budget_;
  Random random_;
  AcceptanceThresholds thresholds_;
  std::array<Sampled, batch> ahead_;
  double first_temperature_ = 0;
  double cooling_ = 0.1;
  double temperature_ = 0;
  std::int64_t made_ = 0;
  std::int64_t best_energy_;
  std::vector<std::int32_t> best_;
};

}  // namespace

bool can_anneal_hops(const MappingProblem& problem) {
  return problem.allocation.num_slots() <= max_slots &&
         has_host_codes(problem.network, problem.allocation);
}

std::optional<Embedding> anneal_hops(const MappingProblem& problem, const SearchControl& control,
                                     const Embedding& start, std::int64_t default_steps) {
  if (problem.allocation.num_slots() > max_slots) return std::nullopt;
  const auto codes = host_codes(problem.network, problem.allocation);
  if (!codes) return std::nullopt;
  return std::visit(
      [&](const auto& known) {
        return HopAnnealing(problem, control, known, start, default_steps).run();
      },
      *codes);
}

}  // namespace vtopo::detail
