#include <algorithm>
#include <optional>
#include <unordered_map>

#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "sim/mapping/search/robust_tabu.hpp"

namespace vtopo::detail::mappers {

MapperInfo greedy();  // the usual start

namespace {

/// Up to this number of slots every exchange is known (robust tabu search).
constexpr std::int64_t max_known_slots = 1024;
constexpr double default_pairs = 3e8;
constexpr std::int64_t min_default_steps = 1000;
constexpr std::int64_t default_steps_per_slot = 2000;

/// Above it, each step samples so many changes and makes the best that is not tabu.
constexpr int changes_per_step = 32;
constexpr std::int64_t default_steps_per_rank = 10;

/// Slots of the allocation, each place with as many as ranks could use.
std::vector<int> places_of_slots(const MappingProblem& problem) {
  std::vector<int> places;
  for (std::size_t p = 0; p < problem.allocation.slots.size(); ++p) {
    const int used = std::min(problem.allocation.slots[p], problem.guest.num_ranks());
    places.insert(places.end(), static_cast<std::size_t>(used), static_cast<int>(p));
  }
  return places;
}

std::int64_t num_usable_slots(const MappingProblem& problem) {
  std::int64_t sum = 0;
  for (const int slots : problem.allocation.slots)
    sum += std::min(slots, problem.guest.num_ranks());
  return sum;
}

AssignmentProblem assignment(const MappingProblem& problem) {
  AssignmentProblem result;
  result.places = places_of_slots(problem);
  result.num_real = static_cast<std::size_t>(problem.guest.num_ranks());
  result.flows = SquareMatrix(result.places.size());
  result.distances = SquareMatrix(result.places.size());
  problem.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination != source)
      result.flows.row(index(source))[index(edge.destination)] += edge.volume.value;
  });
  const auto host = [&](std::size_t slot) {
    return problem.allocation.hosts[static_cast<std::size_t>(result.places[slot])];
  };
  for (std::size_t i = 0; i < result.places.size(); ++i)
    for (std::size_t j = 0; j < result.places.size(); ++j)
      if (result.places[i] != result.places[j])
        result.distances.row(i)[j] = problem.network.splits_flows()
                                         ? problem.network.mean_hops(host(i), host(j))
                                         : problem.network.hops(host(i), host(j));
  return result;
}

/// Slot of every rank, each rank in the first free one of its host; then those left over.
std::vector<int> start_slots(const Occupancy& occupancy, const std::vector<int>& places) {
  std::vector<std::vector<int>> waiting(static_cast<std::size_t>(occupancy.num_places()));
  for (std::size_t slot = places.size(); slot-- > 0;)
    waiting[static_cast<std::size_t>(places[slot])].push_back(static_cast<int>(slot));
  std::vector<int> slots;
  for (const Place place : occupancy.places()) {
    slots.push_back(waiting[index(place)].back());
    waiting[index(place)].pop_back();
  }
  for (const auto& left : waiting) slots.insert(slots.end(), left.begin(), left.end());
  return slots;
}

std::int64_t default_steps(std::size_t slots) {
  const auto n = static_cast<double>(slots);
  const auto affordable = static_cast<std::int64_t>(default_pairs / (n * n / 2 + 1));
  return std::clamp(
      affordable, min_default_steps,
      std::max(min_default_steps, default_steps_per_slot * static_cast<std::int64_t>(slots)));
}

Embedding search_all_pairs(const MappingProblem& problem, const SearchControl& control,
                           const Embedding& start) {
  const Occupancy occupancy(problem.allocation, start);
  AssignmentProblem given = assignment(problem);
  const std::vector<int> places = given.places;
  Budget budget(control, default_steps(places.size()), 16);
  RobustTabu search(std::move(given), start_slots(occupancy, places), problem.seed);
  control.report_value(search.best_cost());
  for (double known = search.best_cost(); budget.take() && search.step();) {
    if (control.progress && budget.done() % 16 == 0) control.progress(budget.fraction());
    if (search.best_cost() >= known) continue;
    known = search.best_cost();
    control.report_value(known, budget.done());
  }
  if (control.progress) control.progress(1);
  std::vector<Place> best;
  best.reserve(static_cast<std::size_t>(problem.guest.num_ranks()));
  for (int r = 0; r < problem.guest.num_ranks(); ++r)
    best.push_back(id_at<Place>(static_cast<std::size_t>(
        places[static_cast<std::size_t>(search.best_slots()[index(Rank{r})])])));
  return occupancy.embedding_of(best);
}

/// Tabu search that samples its candidates; a rank that went may not return to a place for a while.
template <class State>
class SampledTabu {
 public:
  SampledTabu(const MappingProblem& problem, const SearchControl& control, State& state)
      : control_(control),
        state_(state),
        draw_(problem, state.partners(), state.table(), state.occupancy()),
        budget_(control, default_steps_per_rank * std::max(problem.guest.num_ranks(), 64), 8),
        best_energy_(state.energy()),
        best_(state.occupancy().places()) {}

  Embedding run() {
    control_.report_value(state_.value());
    while (budget_.take()) {
      step();
      keep_best();
      if (control_.progress && budget_.done() % 64 == 0) control_.progress(budget_.fraction());
    }
    if (control_.progress) control_.progress(1);
    return state_.occupancy().embedding_of(best_);
  }

 private:
  void step() {
    std::optional<RankChange> chosen;
    double least = 0;
    for (int i = 0; i < changes_per_step; ++i) {
      const auto change = draw_.next();
      if (!change) continue;
      const double delta = state_.probe(*change);
      state_.reject();
      const bool record = state_.energy() + delta < best_energy_;
      if (is_tabu(*change) && !record) continue;
      if (chosen && delta >= least) continue;
      chosen = change;
      least = delta;
    }
    if (chosen) make(*chosen);
  }

  static std::uint64_t key(Rank rank, Place place) {
    return (static_cast<std::uint64_t>(number(rank)) << 32) |
           static_cast<std::uint64_t>(number(place));
  }

  bool is_tabu_at(Rank rank, Place to) const {
    const auto found = tabu_until_.find(key(rank, to));
    return found != tabu_until_.end() && found->second >= budget_.done();
  }

  bool is_tabu(const RankChange& change) const {
    if (!is_tabu_at(change.rank, change.to)) return false;
    return !change.other || is_tabu_at(*change.other, state_.occupancy().place_of(change.rank));
  }

  void make(const RankChange& change) {
    const std::int64_t tenure = state_.occupancy().num_ranks() + std::int64_t{draw_.below(16)};
    const auto leave = [&](Rank rank) {
      tabu_until_[key(rank, state_.occupancy().place_of(rank))] = budget_.done() + tenure;
    };
    leave(change.rank);
    if (change.other) leave(*change.other);
    state_.probe(change);
    state_.commit();
    moved_.push_back(change.rank);
    if (change.other) moved_.push_back(*change.other);
  }

  /// Brings the best up to date by the ranks that moved since, not by all of them.
  void keep_best() {
    if (state_.energy() >= best_energy_) return;
    best_energy_ = state_.energy();
    for (const Rank rank : moved_) best_[index(rank)] = state_.occupancy().place_of(rank);
    moved_.clear();
    control_.report_value(state_.value(), budget_.done());
  }

  const SearchControl& control_;
  State& state_;
  ChangeDraw draw_;
  Budget budget_;
  std::unordered_map<std::uint64_t, std::int64_t> tabu_until_;
  std::vector<Rank> moved_;  ///< since the best
  double best_energy_;
  std::vector<Place> best_;
};

/// What a step takes, in seconds of processor time for each pair of slots, and what the tables
/// take for each pair of ranks.
constexpr double seconds_per_pair = 8e-9;
constexpr double seconds_of_tables_per_pair = 2e-7;

std::optional<double> seconds_per_exchange(const MappingProblem& problem) {
  if (!is_hop_bytes(problem.objective)) return std::nullopt;
  const double slots = std::max<double>(
      1, std::min<double>(static_cast<double>(problem.allocation.num_slots()), 1024));
  return seconds_per_pair * slots * slots;
}

/// Whether a refiner that gets about a third of the time has several times that of its tables.
bool has_time_for_tables(const MappingProblem& problem, const SearchControl& control) {
  const double ranks = problem.guest.num_ranks();
  const auto left = time_left(control);
  return !left || left->count() > 10 * seconds_of_tables_per_pair * ranks * ranks;
}

/// A step looks at all pairs; it is worth its tables where there are several per rank.
bool is_worth_its_tables(const MappingProblem& problem, const SearchControl& control,
                         double steps) {
  constexpr int max_ranks = 512;
  const int ranks = problem.guest.num_ranks();
  return is_hop_bytes(problem.objective) && ranks <= max_ranks &&
         has_time_for_tables(problem, control) && !(steps < 4 * ranks);
}

Embedding map_tabu(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Tabu search: always the best exchange or move into a free slot, better or not, but none that
/// brings ranks back soon; returns the best embedding seen. Hop-bytes on up to 1,024 slots: robust
/// tabu search, which knows what every exchange would change (E. D. Taillard, "Robust taboo search
/// for the quadratic assignment problem", Parallel Computing 17, 1991). Above, and for other
/// objectives: the best of 32 random changes near partners. A step of `steps` is an exchange made.
MapperInfo tabu() {
  return {.name = "tabu",
          .summary = "robust tabu search: the best exchange that does not lead back",
          .reference = "Taillard, Parallel Computing 1991",
          .options = {{"start", "mapper whose embedding is refined", greedy().name}},
          .map = map_tabu,
          .uses_seed = true,
          .anytime = true,
          .refiner = {.seconds_per_step = seconds_per_exchange, .is_useful = is_worth_its_tables}};
}

namespace {

Embedding map_tabu(const MappingProblem& problem, const SearchControl& control) {
  Embedding start = start_of(tabu(), problem, control);
  if (is_hop_bytes(problem.objective) && num_usable_slots(problem) <= max_known_slots) {
    Embedding found = search_all_pairs(problem, control, start);
    return better_of(problem, problem.objective, std::move(start), std::move(found));
  }
  return refine_state(problem, start,
                      [&](auto& state) { return SampledTabu(problem, control, state).run(); });
}

}  // namespace

}  // namespace vtopo::detail::mappers
