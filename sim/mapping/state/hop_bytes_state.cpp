#include "sim/mapping/state/hop_bytes_state.hpp"

namespace vtopo {

namespace {

constexpr double unknown = -1;

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

/// Hop-bytes between a rank at a place and its partners where they sit.
double HopBytesState::cost_at(Rank rank, Place at) const {
  double sum = 0;
  if (grid_) {
    const GridHops::From from = grid_->from(at);
    for (const Pull& pull : pulls_of(rank))
      sum += pull.sent * from.to(seats_.place_of(Rank{pull.rank}));
  } else if (table_.kept_and_symmetric()) {
    const std::uint16_t* row = table_.kept_row(at);
    for (const Pull& pull : pulls_of(rank))
      sum += pull.sent * row[index(seats_.place_of(Rank{pull.rank}))];
  } else {
    for (const Pull& pull : pulls_of(rank)) {
      const Place there = seats_.place_of(Rank{pull.rank});
      sum += pull.sent * table_.hops(at, there) + pull.received * table_.hops_back(at, there);
    }
  }
  return sum;
}

/// Hop-bytes of the edges between two ranks, were they at these places.
double HopBytesState::cost_between(Rank rank, Rank other, Place at, Place there) const {
  for (const Pull& pull : pulls_of(rank)) {
    if (Rank{pull.rank} != other) continue;
    if (grid_) return pull.sent * grid_->from(at).to(there);
    const double sent = pull.sent * table_.hops(at, there);
    return symmetric() ? sent : sent + pull.received * table_.hops(there, at);
  }
  return 0;
}

double HopBytesState::cost_here(Rank rank) {
  double& cost = costs_[index(rank)];
  if (cost < 0) cost = cost_at(rank, seats_.place_of(rank));
  return cost;
}

double HopBytesState::probe(const RankChange& change) {
  probed_ = change;
  before_ = cost_here(change.rank);
  after_ = cost_at(change.rank, change.to);
  if (!change.other) return after_ - before_;
  const Place here = seats_.place_of(change.rank);
  before_ += cost_here(*change.other);
  after_ += cost_at(*change.other, here);
  // What the ranks cost now has the edges between the two twice. The sums for the other places look
  // for the other rank where it no longer is and find no distance there.
  before_ -= cost_between(change.rank, *change.other, here, change.to);
  after_ += cost_between(change.rank, *change.other, change.to, here);
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
