#include "sim/mapping/external/overfull.hpp"

#include <algorithm>
#include <limits>

namespace vtopo::detail {

namespace {

class OverfullHosts {
 public:
  OverfullHosts(const Partners& partners, const HopTable& table, const Allocation& allocation,
                std::vector<Place> places)
      : partners_(partners),
        table_(table),
        places_(std::move(places)),
        free_(allocation.slots.begin(), allocation.slots.end()),
        ranks_(allocation.hosts.size()) {
    for (std::size_t r = 0; r < places_.size(); ++r) {
      ranks_[index(places_[r])].push_back(id_at<Rank>(r));
      --free_[index(places_[r])];
    }
  }

  std::vector<Place> empty_them() && {
    for (std::size_t p = 0; p < free_.size(); ++p)
      while (free_[p] < 0) give_one_away(id_at<Place>(p));
    return std::move(places_);
  }

 private:
  void give_one_away(Place from) {
    const Place to = nearest_free(from);
    auto& ranks = ranks_[index(from)];
    auto cheapest = ranks.begin();
    double least = std::numeric_limits<double>::infinity();
    for (auto at = ranks.begin(); at != ranks.end(); ++at)
      if (const double extra = extra_hop_bytes(*at, to); extra < least)
        least = extra, cheapest = at;
    places_[index(*cheapest)] = to;
    ranks_[index(to)].push_back(*cheapest);
    ranks.erase(cheapest);
    ++free_[index(from)], --free_[index(to)];
  }

  Place nearest_free(Place from) const {
    int best = -1;
    int least = std::numeric_limits<int>::max();
    for (int p = 0; p < table_.num_places(); ++p) {
      if (free_[static_cast<std::size_t>(p)] <= 0) continue;
      const int hops = table_.hops(from, Place{p});
      if (hops < least) best = p, least = hops;
    }
    return Place{best};
  }

  double extra_hop_bytes(Rank rank, Place to) const {
    const Place from = places_[index(rank)];
    double extra = 0;
    for (const Partner& partner : partners_.of(rank)) {
      const Place other = places_[index(partner.rank)];
      extra += partner.sent.value * (table_.hops(to, other) - table_.hops(from, other)) +
               partner.received.value * (table_.hops(other, to) - table_.hops(other, from));
    }
    return extra;
  }

  const Partners& partners_;
  const HopTable& table_;
  std::vector<Place> places_;             ///< one entry per rank
  std::vector<std::int64_t> free_;        ///< slots, one entry per place; < 0: overfull
  std::vector<std::vector<Rank>> ranks_;  ///< one entry per place
};

}  // namespace

Embedding without_overfull_hosts(const Partners& partners, const HopTable& table,
                                 const Allocation& allocation, std::vector<Place> places) {
  check_fit(partners.num_ranks(), allocation);
  places = OverfullHosts(partners, table, allocation, std::move(places)).empty_them();
  std::vector<HostId> hosts;
  hosts.reserve(places.size());
  for (const Place place : places) hosts.push_back(allocation.hosts[index(place)]);
  return {std::move(hosts), allocation};
}

}  // namespace vtopo::detail
