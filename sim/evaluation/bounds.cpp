#include "sim/evaluation/bounds.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "sim/embedding/embedding.hpp"
#include "sim/evaluation/partners.hpp"
#include "topology/error.hpp"

namespace vtopo {

namespace {

/// Above this number of hosts the distances of all pairs are too many to ask for.
constexpr int max_exact_hosts = 4096;

/// What the links of a network admit as a bound.
struct Links {
  BytesPerSecond hop_bandwidth;  ///< sum over the links that count as hops
  bool all_hops = true;
  bool fatpipe_hop = false;
  bool fatpipe = false;
  bool joins_hosts = true;  ///< no pair of hosts is known to have no route
};

Links survey_links(const Network& network) {
  Links links;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    const bool fatpipe = link.sharing == LinkSharing::fatpipe;
    links.fatpipe = links.fatpipe || fatpipe;
    links.all_hops = links.all_hops && link.counts_as_hop;
    if (!link.counts_as_hop) continue;
    links.fatpipe_hop = links.fatpipe_hop || fatpipe;
    links.hop_bandwidth += link.bandwidth;
  }
  return links;
}

int max_slots(const Allocation& allocation) {
  return allocation.slots.empty()
             ? 0
             : *std::max_element(allocation.slots.begin(), allocation.slots.end());
}

/// Hops between the hosts of an allocation, the fewer of both directions; below the diagonal. All
/// routes of a host are asked for in a row: a platform then answers many at once.
using FewerHops = std::vector<std::vector<int>>;

FewerHops fewer_hops(const Network& network, const std::vector<HostId>& hosts,
                     const Progress& progress) {
  FewerHops fewer(hosts.size());
  for (std::size_t place = 0; place < hosts.size(); ++place) fewer[place].resize(place);
  for (std::size_t here = 0; here < hosts.size(); ++here) {
    if (progress) progress(static_cast<double>(here) / static_cast<double>(hosts.size()));
    for (std::size_t there = here + 1; there < hosts.size(); ++there)
      fewer[there][here] = network.hops(hosts[here], hosts[there]);
    for (std::size_t there = 0; there < here; ++there)
      fewer[here][there] = std::min(fewer[here][there], network.hops(hosts[here], hosts[there]));
  }
  return fewer;
}

/// Other slots by their hops from `place`; entry h: slots with h hops.
void count_slots(const FewerHops& fewer, const std::vector<int>& slots, std::size_t place,
                 std::vector<std::int64_t>& slots_at) {
  std::fill(slots_at.begin(), slots_at.end(), 0);
  for (std::size_t other = 0; other < slots.size(); ++other) {
    const int hops = other == place ? 0 : fewer[std::max(place, other)][std::min(place, other)];
    const auto entry = static_cast<std::size_t>(hops);
    if (entry >= slots_at.size()) slots_at.resize(entry + 1, 0);
    slots_at[entry] += slots[other] - (other == place ? 1 : 0);
  }
}

/// Hops to the nearest other slots, ascending, at most `count` of them; entry k is the least over
/// all hosts of the allocation, so no rank has its k-th nearest partner closer.
std::vector<int> nearest_slots(const Network& network, const Allocation& allocation,
                               std::size_t count, const Progress& progress) {
  std::vector<int> nearest(count, std::numeric_limits<int>::max());
  const FewerHops fewer = fewer_hops(network, allocation.hosts, progress);
  std::vector<std::int64_t> slots_at;
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place) {
    count_slots(fewer, allocation.slots, place, slots_at);
    std::size_t k = 0;
    for (std::size_t hops = 0; hops < slots_at.size() && k < count; ++hops)
      for (std::int64_t i = 0; i < slots_at[hops] && k < count; ++i, ++k)
        nearest[k] = std::min(nearest[k], static_cast<int>(hops));
  }
  return nearest;
}

/// The same for machines that are too large: 0 within a host, and any route to another host has at
/// least one link, which is a hop if all links are.
std::vector<int> nearest_slots_of_large(const Links& links, const Allocation& allocation,
                                        std::size_t count) {
  std::vector<int> nearest(count, links.all_hops ? 1 : 0);
  const std::size_t inside = std::min(count, static_cast<std::size_t>(max_slots(allocation) - 1));
  std::fill_n(nearest.begin(), inside, 0);
  return nearest;
}

/// Hosts without a route between them may be none that the job uses: its metrics tell. To search
/// for further ones may take long where each search fails, so what holds for any machine must do.
std::vector<int> nearest_partners(const Network& network, const Allocation& allocation,
                                  std::size_t count, Links& links, const Progress& progress) {
  if (allocation.num_hosts() <= max_exact_hosts) try {
      return nearest_slots(network, allocation, count, progress);
    } catch (const InputError&) {
      links.joins_hosts = false;
    }
  return nearest_slots_of_large(links, allocation, count);
}

/// Heaviest volumes go to the nearest slots (rearrangement inequality). Every pair is seen from
/// both of its ranks, hence the half.
Bytes hop_bytes_bound(const Partners& partners, const std::vector<int>& nearest) {
  Bytes twice;
  std::vector<double> volumes;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    volumes.clear();
    for (const Partner& partner : partners.of(Rank{r})) volumes.push_back(partner.both().value);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    for (std::size_t k = 0; k < volumes.size(); ++k) twice += Bytes{volumes[k] * nearest[k]};
  }
  return twice * 0.5;
}

/// What ranks must send out of their hosts whatever the embedding.
struct Leaving {
  Bytes most;  ///< of one rank
  Bytes sum;
};

/// A host with S slots keeps at most the messages of a rank to S-1 others inside.
Leaving leaving_volume(const Partners& partners, int slots) {
  Leaving leaving;
  std::vector<double> volumes;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    volumes.clear();
    for (const Partner& partner : partners.of(Rank{r})) volumes.push_back(partner.sent.value);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    Bytes outside;
    for (std::size_t k = static_cast<std::size_t>(slots - 1); k < volumes.size(); ++k)
      outside += Bytes{volumes[k]};
    leaving.most = std::max(leaving.most, outside);
    leaving.sum += outside;
  }
  return leaving;
}

/// Time of `volume`, 0 where there is nothing to move or nothing to move it over.
Seconds time_over(Bytes volume, BytesPerSecond bandwidth) {
  return volume.value > 0 && bandwidth.value > 0 ? volume / bandwidth : Seconds{};
}

/// If the largest congestion of shared links is C, then the traffic of a set of links is at most C
/// times their bandwidth. That fails for a fatpipe link, which carries any traffic in the time of
/// its largest flow: no bound from a set that may hold one. Hop-bytes are the traffic of the links
/// that count as hops, so only those are in the first set, and limiters neither help nor harm. Of
/// split flows the links carry shares: hop-bytes are then volumes times mean hops, at least volumes
/// times least hops, and every share begins with a link out of its source. A detour through other
/// hosts, or back through the source, only adds traffic to the links that leave hosts.
Seconds congestion_bound(const Partners& partners, const Network& network,
                         const Allocation& allocation, const Links& links, Bytes hop_bytes) {
  Seconds bound;
  if (!links.fatpipe_hop) bound = time_over(hop_bytes, links.hop_bandwidth);
  // Which links leave a host is the network's knowledge: any fatpipe link may be one of them.
  if (links.fatpipe || !links.joins_hosts) return bound;
  BytesPerSecond most, sum;
  for (const HostId host : allocation.hosts) {
    const BytesPerSecond bandwidth = network.injection_bandwidth(host);
    most = std::max(most, bandwidth);
    sum += bandwidth;
  }
  const Leaving leaving = leaving_volume(partners, max_slots(allocation));
  return std::max({bound, time_over(leaving.most, most), time_over(leaving.sum, sum)});
}

}  // namespace

Bounds lower_bounds(const CommGraph& guest, const Network& network, const Allocation& allocation,
                    const Progress& progress) {
  check_fit(guest.num_ranks(), allocation);
  const Partners partners(guest);
  Links links = survey_links(network);
  const auto degree = static_cast<std::size_t>(partners.max_degree());
  const auto nearest = nearest_partners(network, allocation, degree, links, progress);
  const Bytes hop_bytes = hop_bytes_bound(partners, nearest);
  return {hop_bytes, congestion_bound(partners, network, allocation, links, hop_bytes)};
}

}  // namespace vtopo
