#include <span>

#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail::mappers {

MapperInfo greedy();  // the usual start

namespace {

/// Up to this number of slots every pair is tried in each sweep.
constexpr std::int64_t max_slots_of_all_pairs = 2048;

/// Above it, each rank tries so many ranks close to it in the guest, and so many random ones.
constexpr std::size_t max_close_ranks = 128;
constexpr int num_random = 8;

/// Random pairs find tiny gains for ever: a sweep that gains a smaller share of the cost is the
/// last one with random pairs.
constexpr double min_gain_of_random = 1e-3;

/// Ranks that a rank tries to exchange with: its partners and their partners, at most
/// `max_close_ranks` and each pair of ranks from its lower one only.
class CloseRanks {
 public:
  explicit CloseRanks(const Partners& partners)
      : partners_(partners), seen_from_(static_cast<std::size_t>(partners.num_ranks()), Rank{-1}) {}

  std::span<const Rank> of(Rank rank) {
    close_.clear();
    for (const Partner& partner : partners_.of(rank)) add(rank, partner.rank);
    for (const Partner& partner : partners_.of(rank)) {
      if (close_.size() >= max_close_ranks) break;
      for (const Partner& second : partners_.of(partner.rank)) add(rank, second.rank);
    }
    return close_;
  }

 private:
  void add(Rank from, Rank rank) {
    if (rank <= from || seen_from_[index(rank)] == from) return;
    if (close_.size() >= max_close_ranks) return;
    seen_from_[index(rank)] = from;
    close_.push_back(rank);
  }

  const Partners& partners_;
  std::vector<Rank> seen_from_;
  std::vector<Rank> close_;
};

/// Sweeps over pairs until none improves or the budget is spent.
template <class State>
class Exchanges {
 public:
  Exchanges(const MappingProblem& problem, const SearchControl& control, State& state)
      : control_(control),
        state_(state),
        close_ranks_(state.partners()),
        random_(problem.seed),
        budget_(control, Budget::unlimited),
        all_pairs_(problem.allocation.num_slots() <= max_slots_of_all_pairs),
        samples_(!all_pairs_) {}

  Embedding run() {
    control_.report_value(state_.value());
    bool improved = true;
    while (improved && !budget_.spent()) {
      const std::int64_t made = made_;
      const double before = state_.energy();
      sweep();
      improved = made_ > made || samples_;
      samples_ = samples_ && before - state_.energy() > before * min_gain_of_random;
    }
    if (control_.progress) control_.progress(1);
    return state_.occupancy().embedding();
  }

 private:
  int num_ranks() const { return state_.occupancy().num_ranks(); }
  int num_places() const { return state_.occupancy().num_places(); }

  void sweep() {
    ++sweeps_;
    for (int r = 0; r < num_ranks() && !budget_.spent(); ++r) {
      if (control_.progress)
        control_.progress(1 - 1 / (sweeps_ + static_cast<double>(r) / num_ranks()));
      const std::int64_t made = made_;
      if (all_pairs_)
        try_all(Rank{r});
      else
        try_neighbourhood(Rank{r});
      if (made_ > made) control_.report_value(state_.value(), budget_.done());
    }
  }

  void try_all(Rank rank) {
    for (int other = number(rank) + 1; other < num_ranks(); ++other)
      try_exchange(rank, Rank{other});
    for (int place = 0; place < num_places(); ++place) try_move(rank, Place{place});
  }

  void try_neighbourhood(Rank rank) {
    for (const Rank other : close_ranks_.of(rank)) try_exchange(rank, other);
    if (!samples_) return;
    for (int i = 0; i < num_random; ++i) try_exchange(rank, Rank{draw(num_ranks())});
    for (int i = 0; i < num_random; ++i) try_move(rank, Place{draw(num_places())});
  }

  int draw(int bound) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound))); }

  void try_exchange(Rank a, Rank b) {
    const Place to = state_.occupancy().place_of(b);
    if (state_.occupancy().place_of(a) != to) try_change({a, b, to});
  }

  void try_move(Rank rank, Place to) {
    if (state_.occupancy().has_free_slot(to) && state_.occupancy().place_of(rank) != to)
      try_change({rank, std::nullopt, to});
  }

  void try_change(const RankChange& change) {
    if (!budget_.take()) return;
    state_.probe(change);
    if (!state_.improves()) return state_.reject();
    state_.commit();
    ++made_;
  }

  const SearchControl& control_;
  State& state_;
  CloseRanks close_ranks_;
  Random random_;
  Budget budget_;
  bool all_pairs_;
  int sweeps_ = 0;
  bool samples_;  ///< whether sweeps still try random pairs and places
  std::int64_t made_ = 0;
};

Embedding map_exchange(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Pairwise exchange: ranks change places, or move into free slots, whenever that lowers the
/// cost, until no pair does (a local optimum), `steps` exchanges were tried or the time is up.
/// Never worse than its start. C. H. Heider (Naval Research Logistics Quarterly 1972); B.
/// Brandfass, T. Alrutz and T. Gerhold, "Rank reordering for MPI communication optimization"
/// (Computers & Fluids 2013); the neighbourhood above 2,048 slots, ranks at guest distance up to 2
/// and some at random, follows C. Schulz and J. L. Träff, "Better Process Mapping and
/// Sparse Quadratic Assignment" (SEA 2017).
MapperInfo exchange() {
  return {.name = "exchange",
          .summary = "exchanges pairs of ranks while the cost falls",
          .reference = "Heider 1972; Brandfass et al. 2013; Schulz and Träff, SEA 2017",
          .options = {{"start", "mapper whose embedding is refined", greedy().name}},
          .map = map_exchange,
          .role = MapperRole::descent,
          .anytime = true};
}

namespace {

Embedding map_exchange(const MappingProblem& problem, const SearchControl& control) {
  return refine_state(problem, start_of(exchange(), problem, control),
                      [&](auto& state) { return Exchanges(problem, control, state).run(); });
}

}  // namespace

}  // namespace vtopo::detail::mappers
