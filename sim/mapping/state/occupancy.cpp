#include "sim/mapping/state/occupancy.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vtopo::detail {

Occupancy::Occupancy(const Allocation& allocation, const Embedding& embedding)
    : allocation_(&allocation),
      positions_(embedding.hosts().size()),
      ranks_(allocation.hosts.size()),
      free_(allocation.slots) {
  std::size_t most = 0;
  for (const HostId host : allocation.hosts) most = std::max(most, index(host) + 1);
  std::vector<Place> by_host(most);
  for (std::size_t p = 0; p < allocation.hosts.size(); ++p)
    by_host[index(allocation.hosts[p])] = id_at<Place>(p);
  for (int r = 0; r < embedding.num_ranks(); ++r) {
    const Place place = by_host[index(embedding.host_of(Rank{r}))];
    places_.push_back(place);
    positions_[index(Rank{r})] = ranks_[index(place)].size();
    ranks_[index(place)].push_back(Rank{r});
    --free_[index(place)];
  }
}

void Occupancy::move(Rank rank, Place to) {
  assert(has_free_slot(to));
  const Place from = place_of(rank);
  std::vector<Rank>& left = ranks_[index(from)];
  left[positions_[index(rank)]] = left.back();
  positions_[index(left.back())] = positions_[index(rank)];
  left.pop_back();
  positions_[index(rank)] = ranks_[index(to)].size();
  ranks_[index(to)].push_back(rank);
  ++free_[index(from)];
  --free_[index(to)];
  places_[index(rank)] = to;
}

void Occupancy::apply(const RankChange& change) {
  if (!change.other) return move(change.rank, change.to);
  const std::size_t a = index(change.rank);
  const std::size_t b = index(*change.other);
  std::swap(ranks_[index(places_[a])][positions_[a]], ranks_[index(places_[b])][positions_[b]]);
  std::swap(positions_[a], positions_[b]);
  std::swap(places_[a], places_[b]);
}

Embedding Occupancy::embedding_of(const std::vector<Place>& places) const {
  std::vector<HostId> hosts;
  hosts.reserve(places.size());
  for (const Place place : places) hosts.push_back(allocation_->hosts[index(place)]);
  return {std::move(hosts), *allocation_};
}

}  // namespace vtopo::detail
