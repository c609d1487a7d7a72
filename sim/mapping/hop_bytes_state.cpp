#include "sim/mapping/hop_bytes_state.hpp"

namespace vtopo {

namespace {

constexpr double unknown = -1;
constexpr Rank nobody{-1};

}  // namespace

HopBytesState::HopBytesState(const MappingProblem& problem, const Embedding& start)
    : partners_(problem.guest),
      table_(problem.host, problem.allocation),
      grid_(GridHops::of(problem.host, problem.allocation)),
      seats_(problem.allocation, start),
      costs_(start.hosts().size(), unknown) {
  for (int r = 0; r < partners_.num_ranks(); ++r) {
    offsets_.push_back(pulls_.size());
    for (const Partner& partner : partners_.of(Rank{r})) {
      const Bytes sent = symmetric() ? partner.both() : partner.sent;
      pulls_.push_back({number(partner.rank), sent.value, partner.received.value});
    }
  }
  offsets_.push_back(pulls_.size());
  for (int r = 0; r < partners_.num_ranks(); ++r) energy_ += cost_here(Rank{r}) / 2;
}

/// Hop-bytes between a rank at a place and its partners where they sit. `between` is set to those
/// that the rank and `other` have when one of them sits at the place and the other where `rank` is.
double HopBytesState::cost_at(Rank rank, Place at, Rank other, double& between) const {
  double sum = 0;
  const Place here = seats_.place_of(rank);
  if (grid_) {
    const GridHops::From from = grid_->from(at);
    for (const Pull& pull : pulls_of(rank)) {
      sum += pull.sent * from.to(seats_.place_of(Rank{pull.rank}));
      if (Rank{pull.rank} == other) between = pull.sent * from.to(here);
    }
    return sum;
  }
  if (table_.kept_and_symmetric()) {
    const std::uint16_t* row = table_.kept_row(at);
    for (const Pull& pull : pulls_of(rank)) {
      sum += pull.sent * row[index(seats_.place_of(Rank{pull.rank}))];
      if (Rank{pull.rank} == other) between = pull.sent * row[index(here)];
    }
    return sum;
  }
  const auto pull_over = [&](const Pull& pull, Place there) {
    return pull.sent * table_.hops(at, there) + pull.received * table_.hops_back(at, there);
  };
  for (const Pull& pull : pulls_of(rank)) {
    sum += pull_over(pull, seats_.place_of(Rank{pull.rank}));
    if (Rank{pull.rank} == other) between = pull_over(pull, here);
  }
  return sum;
}

double HopBytesState::cost_here(Rank rank) {
  double& cost = costs_[index(rank)];
  double none = 0;
  if (cost < 0) cost = cost_at(rank, seats_.place_of(rank), nobody, none);
  return cost;
}

double HopBytesState::probe(const RankChange& change) {
  probed_ = change;
  double between = 0;
  before_ = cost_here(change.rank);
  after_ = cost_at(change.rank, change.to, change.other.value_or(nobody), between);
  if (!change.other) return after_ - before_;
  // The sums look for the other rank where it no longer is and find no distance: the edges between
  // the two are added for both, as they are in what the ranks cost now.
  double back = 0;
  before_ += cost_here(*change.other);
  after_ += cost_at(*change.other, seats_.place_of(change.rank), change.rank, back);
  after_ += between + back;
  return after_ - before_;
}

void HopBytesState::commit() {
  energy_ += after_ - before_;
  seats_.apply(probed_);
  const auto forget = [&](Rank rank) {
    costs_[index(rank)] = unknown;
    for (const Pull& pull : pulls_of(rank)) costs_[static_cast<std::size_t>(pull.rank)] = unknown;
  };
  forget(probed_.rank);
  if (probed_.other) forget(*probed_.other);
}

}  // namespace vtopo
