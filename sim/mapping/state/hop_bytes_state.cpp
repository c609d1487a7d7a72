#include "sim/mapping/state/hop_bytes_state.hpp"

namespace vtopo::detail {

namespace {

constexpr double unknown = -1;

}  // namespace

HopBytesState::HopBytesState(const Partners& partners, const HopTable& table,
                             const Allocation& allocation, const Embedding& start)
    : partners_(partners),
      table_(table),
      occupancy_(allocation, start),
      costs_(start.hosts().size(), unknown) {
  for (int r = 0; r < partners_.num_ranks(); ++r) {
    offsets_.push_back(pulls_.size());
    for (const Partner& partner : partners_.of(Rank{r})) {
      const Bytes sent = table_.symmetric() ? partner.both() : partner.sent;
      pulls_.push_back({number(partner.rank), sent.value, partner.received.value});
    }
  }
  offsets_.push_back(pulls_.size());
  for (int r = 0; r < partners_.num_ranks(); ++r) energy_ += cost_here(Rank{r}) / 2;
}

/// Hop-bytes between a rank at a place and its partners where they sit.
double HopBytesState::cost_at(Rank rank, Place at) const {
  if (table_.symmetric())
    return table_.visit_from(at, [&](auto&& hops) {
      double sum = 0;
      for (const Pull& pull : pulls_of(rank))
        sum += pull.sent * hops(occupancy_.place_of(Rank{pull.rank}));
      return sum;
    });
  double sum = 0;
  for (const Pull& pull : pulls_of(rank)) {
    const Place there = occupancy_.place_of(Rank{pull.rank});
    sum += pull.sent * table_.hops(at, there) + pull.received * table_.hops(there, at);
  }
  return sum;
}

/// Hop-bytes of the edges between two ranks, were they at these places.
double HopBytesState::cost_between(Rank rank, Rank other, Place at, Place there) const {
  for (const Pull& pull : pulls_of(rank)) {
    if (Rank{pull.rank} != other) continue;
    const double sent = pull.sent * table_.hops(at, there);
    return table_.symmetric() ? sent : sent + pull.received * table_.hops(there, at);
  }
  return 0;
}

double HopBytesState::cost_here(Rank rank) {
  double& cost = costs_[index(rank)];
  if (cost < 0) cost = cost_at(rank, occupancy_.place_of(rank));
  return cost;
}

double HopBytesState::probe(const RankChange& change) {
  probed_ = change;
  before_ = cost_here(change.rank);
  after_ = cost_at(change.rank, change.to);
  if (!change.other) return after_ - before_;
  const Place here = occupancy_.place_of(change.rank);
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
  occupancy_.apply(probed_);
  const auto forget = [&](Rank rank) {
    costs_[index(rank)] = unknown;
    for (const Pull& pull : pulls_of(rank)) costs_[static_cast<std::size_t>(pull.rank)] = unknown;
  };
  forget(probed_.rank);
  if (probed_.other) forget(*probed_.other);
}

}  // namespace vtopo::detail
