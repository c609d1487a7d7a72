#include "sim/mapping/search/refinement.hpp"

#include <algorithm>
#include <deque>
#include <limits>

#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/objective_state.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

Embedding start_of(const MapperInfo& refiner, const MappingProblem& problem,
                   const SearchControl& control) {
  if (control.start != nullptr) return *control.start;
  SearchControl silent = without_progress(control);
  silent.improved = nullptr;
  return run_mapper({option_value(refiner, problem, "start"), {}}, problem, silent);
}

Embedding better_of(const MappingProblem& problem, const Objective& objective, Embedding start,
                    Embedding refined) {
  if (start == refined) return start;
  const Cost before = cost_of(objective, problem.guest, problem.network, start);
  const Cost after = cost_of(objective, problem.guest, problem.network, refined);
  if (after < before) return refined;
  return start;
}

bool lowers_hops_only(const MappingProblem& problem) {
  return is_hop_bytes(problem.objective) && !problem.network.splits_flows();
}

namespace {

constexpr int max_near = 12;
constexpr int max_near_above_table = 4;  ///< on either side in the hierarchy's order
constexpr int max_tries_per_rank = 400;
constexpr int min_tries_per_rank = 16;

/// Partners that one rank may look at in its tries.
constexpr int max_work_per_rank = 20'000;

/// Positions on either side in the hierarchy's order at which close places are looked for.
std::size_t window_of(std::size_t places) {
  if (places <= 1024) return places;
  return places <= 4096 ? 64 : max_near_above_table;
}

class LocalExchange {
 public:
  LocalExchange(const MappingProblem& problem, const SearchControl& control,
                const Partners& partners, const HopTable& table, const HostHierarchy& hierarchy,
                const Embedding& start)
      : control_(control),
        partners_(partners),
        state_(partners, table, problem.allocation, start),
        near_(table, hierarchy, window_of(hierarchy.order.size()), max_near),
        waits_(static_cast<std::size_t>(partners.num_ranks()), true),
        seen_(hierarchy.order.size(), 0),
        steps_(control.steps.value_or(std::numeric_limits<std::int64_t>::max())) {
    for (int r = 0; r < partners.num_ranks(); ++r) queue_.push_back(Rank{r});
  }

  Embedding run() {
    for (int i = 0; !queue_.empty() && tried_ < steps_; ++i) {
      if (i % 64 == 0 && control_.deadline &&
          std::chrono::steady_clock::now() >= *control_.deadline)
        break;
      const Rank rank = queue_.front();
      queue_.pop_front();
      waits_[index(rank)] = false;
      visit(rank);
    }
    return state_.occupancy().embedding();
  }

 private:
  void wait(Rank rank) {
    if (waits_[index(rank)]) return;
    waits_[index(rank)] = true;
    queue_.push_back(rank);
  }

  void wait_around(Rank rank) {
    wait(rank);
    for (const Partner& partner : partners_.of(rank)) wait(partner.rank);
  }

  /// Tries the places of the partners and those close to them until one gains.
  void visit(Rank rank) {
    tries_left_ = std::clamp(max_work_per_rank / (int_size(partners_.of(rank)) + 1),
                             min_tries_per_rank, max_tries_per_rank);
    ++visit_;
    for (const Partner& partner : partners_.of(rank)) {
      const Place there = state_.occupancy().place_of(partner.rank);
      if (visit(rank, there)) return;
      for (const Place near : near_.of(there))
        if (visit(rank, near)) return;
      if (tries_left_ <= 0) return;
    }
  }

  bool visit(Rank rank, Place place) {
    if (place == state_.occupancy().place_of(rank) || seen_[index(place)] == visit_) return false;
    seen_[index(place)] = visit_;
    if (state_.occupancy().has_free_slot(place) && try_change({rank, std::nullopt, place}))
      return true;
    for (const Rank other : state_.occupancy().ranks_at(place))
      if (try_change({rank, other, place})) return true;
    return false;
  }

  bool is_spent() {
    ++tried_;
    return --tries_left_ < 0 || tried_ > steps_;
  }

  bool try_change(const RankChange& change) {
    if (is_spent()) return false;
    state_.probe(change);
    if (!state_.improves()) return false;
    state_.commit();
    wait_around(change.rank);
    if (change.other) wait_around(*change.other);
    return true;
  }

  const SearchControl& control_;
  const Partners& partners_;
  HopBytesState state_;
  NearPlaces near_;
  std::deque<Rank> queue_;
  std::vector<bool> waits_;
  std::vector<std::int64_t> seen_;  ///< the last visit to a place, one entry per place
  std::int64_t visit_ = 0;
  std::int64_t steps_;
  std::int64_t tried_ = 0;
  int tries_left_ = 0;
};

}  // namespace

Embedding exchange_locally(const MappingProblem& problem, const SearchControl& control,
                           const Partners& partners, const HopTable& table,
                           const HostHierarchy& hierarchy, const Embedding& start) {
  return LocalExchange(problem, control, partners, table, hierarchy, start).run();
}

}  // namespace vtopo::detail
