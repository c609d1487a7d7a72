#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "sim/mapping/mapper.hpp"
#include "sim/mapping/placement.hpp"
#include "topology/random.hpp"

namespace vtopo::mappers {

namespace {

/// Up to this number of slots every pair is tried in each sweep.
constexpr std::int64_t max_slots_of_all_pairs = 2048;

/// Above it, each rank tries so many ranks close to it in the guest, and so many drawn ones.
constexpr std::size_t max_close_ranks = 128;
constexpr int num_drawn = 8;

/// Drawn pairs find crumbs for ever: a sweep that gains a smaller share of the hop-bytes is the
/// last one to draw.
constexpr double least_gain_of_draws = 1e-3;

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
class Refinement {
 public:
  Refinement(const MappingProblem& problem, const Embedding& start)
      : partners_(problem.guest),
        table_(problem.host, problem.allocation),
        placement_(partners_, table_, problem.allocation, start),
        close_ranks_(partners_),
        random_(problem.seed),
        progress_(problem.progress),
        steps_(problem.steps.value_or(std::numeric_limits<std::int64_t>::max())),
        all_pairs_(problem.allocation.num_slots() <= max_slots_of_all_pairs),
        draws_(!all_pairs_) {}

  Embedding run() {
    const Bytes start = placement_.hop_bytes();
    bool improved = true;
    while (improved && tried_ < steps_) {
      const std::int64_t made = made_;
      const Bytes before = gain_;
      sweep();
      improved = made_ > made || draws_;
      draws_ = draws_ && gain_ - before > (start - before) * least_gain_of_draws;
    }
    assert(std::abs((start - gain_ - placement_.hop_bytes()).value) <= 1e-9 * start.value);
    if (progress_) progress_(1);
    return placement_.embedding();
  }

 private:
  int num_ranks() const { return placement_.num_ranks(); }

  void sweep() {
    ++sweeps_;
    for (int r = 0; r < num_ranks() && tried_ < steps_; ++r) {
      if (progress_) progress_(1 - 1 / (sweeps_ + static_cast<double>(r) / num_ranks()));
      if (all_pairs_)
        try_all(Rank{r});
      else
        try_neighbourhood(Rank{r});
    }
  }

  void try_all(Rank rank) {
    for (int other = number(rank) + 1; other < num_ranks(); ++other)
      try_exchange(rank, Rank{other});
    for (int place = 0; place < placement_.num_places(); ++place) try_move(rank, Place{place});
  }

  void try_neighbourhood(Rank rank) {
    for (const Rank other : close_ranks_.of(rank)) try_exchange(rank, other);
    if (!draws_) return;
    for (int i = 0; i < num_drawn; ++i) try_exchange(rank, Rank{draw(num_ranks())});
    for (int i = 0; i < num_drawn; ++i) try_move(rank, Place{draw(placement_.num_places())});
  }

  int draw(int bound) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound))); }

  void try_exchange(Rank a, Rank b) {
    if (placement_.place_of(a) == placement_.place_of(b) || tried_ >= steps_) return;
    ++tried_;
    const HopBytesChange change = placement_.exchange_change(a, b);
    if (!change.improves()) return;
    placement_.exchange(a, b);
    ++made_;
    gain_ += change.gain();
  }

  void try_move(Rank rank, Place to) {
    if (!placement_.has_free_slot(to) || placement_.place_of(rank) == to || tried_ >= steps_)
      return;
    ++tried_;
    const HopBytesChange change = placement_.move_change(rank, to);
    if (!change.improves()) return;
    placement_.move(rank, to);
    ++made_;
    gain_ += change.gain();
  }

  Partners partners_;
  HopTable table_;
  Placement placement_;
  CloseRanks close_ranks_;
  Random random_;
  Progress progress_;
  std::int64_t steps_;
  bool all_pairs_;
  int sweeps_ = 0;
  bool draws_;  ///< whether sweeps still try drawn pairs and places
  std::int64_t tried_ = 0;
  std::int64_t made_ = 0;
  Bytes gain_;  ///< sum over the exchanges made
};

Embedding map_exchange(const MappingProblem& problem);

}  // namespace

/// Pairwise exchange: ranks change places, or move into free slots, whenever that lowers the
/// hop-bytes, until no pair does (a local optimum) or `steps` exchanges were tried. Never worse
/// than its start. C. H. Heider (Naval Research Logistics Quarterly 1972); B. Brandfass, T. Alrutz
/// and T. Gerhold, "Rank reordering for MPI communication optimization" (Computers & Fluids 2013);
/// the neighbourhood above 2,048 slots, ranks at guest distance up to 2 and some drawn from the
/// seed, follows C. Schulz and J. L. Träff, "Better Process Mapping and Sparse Quadratic
/// Assignment" (SEA 2017).
MapperInfo exchange() {
  return {"exchange",
          "exchanges pairs of ranks while hop-bytes fall",
          "Heider 1972; Brandfass et al. 2013; Schulz and Träff, SEA 2017",
          map_exchange,
          {{"start", "mapper whose embedding is refined", "greedy"}}};
}

namespace {

Embedding map_exchange(const MappingProblem& problem) {
  MappingProblem start = problem;
  start.progress = nullptr;
  const std::string mapper = option_value(exchange(), problem, "start");
  return Refinement(problem, run_mapper({mapper, {}}, start)).run();
}

}  // namespace

}  // namespace vtopo::mappers
