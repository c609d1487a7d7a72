#include "sim/mapping/state/placement.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vtopo {

namespace {

/// Place of every host id up to the largest of the allocation; places are arbitrary for hosts
/// outside it.
std::vector<Place> places_by_host(const Allocation& allocation) {
  std::size_t size = 0;
  for (const HostId host : allocation.hosts) size = std::max(size, index(host) + 1);
  std::vector<Place> places(size);
  for (std::size_t p = 0; p < allocation.hosts.size(); ++p)
    places[index(allocation.hosts[p])] = id_at<Place>(p);
  return places;
}

}  // namespace

Placement::Placement(const Partners& partners, const HopTable& table, const Allocation& allocation,
                     const Embedding& embedding)
    : partners_(&partners), table_(&table), allocation_(&allocation), free_(allocation.slots) {
  const std::vector<Place> by_host = places_by_host(allocation);
  places_.reserve(embedding.hosts().size());
  for (const HostId host : embedding.hosts()) {
    places_.push_back(by_host[index(host)]);
    --free_[index(places_.back())];
  }
}

/// Hop-bytes between a rank at a place and its partners, but `skipped`; `exchanged` sits elsewhere.
Bytes Placement::hop_bytes_of(Rank rank, Place at, std::optional<Rank> skipped,
                              std::optional<Exchanged> exchanged) const {
  Bytes sum;
  for (const Partner& partner : partners_->of(rank)) {
    if (partner.rank == skipped) continue;
    Place there = place_of(partner.rank);
    if (exchanged && partner.rank == exchanged->rank) there = exchanged->place;
    sum += partner.sent * table_->hops(at, there);
    sum += partner.received * table_->hops_back(at, there);
  }
  return sum;
}

HopBytesChange Placement::exchange_change(Rank a, Rank b) const {
  const Place here = place_of(a);
  const Place there = place_of(b);
  // Edges between the two ranks are counted with the first one only.
  return {hop_bytes_of(a, here, {}, {}) + hop_bytes_of(b, there, a, {}),
          hop_bytes_of(a, there, {}, Exchanged{b, here}) + hop_bytes_of(b, here, a, {})};
}

void Placement::exchange(Rank a, Rank b) {
  std::swap(places_[index(a)], places_[index(b)]);
}

HopBytesChange Placement::move_change(Rank rank, Place to) const {
  return {hop_bytes_of(rank, place_of(rank), {}, {}), hop_bytes_of(rank, to, {}, {})};
}

void Placement::move(Rank rank, Place to) {
  assert(has_free_slot(to));
  ++free_[index(place_of(rank))];
  --free_[index(to)];
  places_[index(rank)] = to;
}

Bytes Placement::hop_bytes() const {
  Bytes sum;
  for (int r = 0; r < num_ranks(); ++r)
    for (const Partner& partner : partners_->of(Rank{r}))
      sum += partner.sent * table_->hops(place_of(Rank{r}), place_of(partner.rank));
  return sum;
}

Embedding Placement::embedding() const {
  std::vector<HostId> hosts;
  hosts.reserve(places_.size());
  for (const Place place : places_) hosts.push_back(allocation_->hosts[index(place)]);
  return {std::move(hosts), *allocation_};
}

}  // namespace vtopo
