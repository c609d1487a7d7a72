#include "sim/evaluation/bounds/congestion_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace vtopo::detail {

namespace {

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
    for (std::size_t k = index(slots - 1); k < volumes.size(); ++k) outside += Bytes{volumes[k]};
    leaving.most = std::max(leaving.most, outside);
    leaving.sum += outside;
  }
  return leaving;
}

double seconds(double volume, BytesPerSecond capacity) {
  return time_over(Bytes{volume}, capacity).value;
}

}  // namespace

void improve(NamedBound& best, std::string kind, double value) {
  if (value > best.value) best = {std::move(kind), value};
}

Seconds time_over(Bytes volume, BytesPerSecond bandwidth) {
  return volume.value > 0 && bandwidth.value > 0 ? volume / bandwidth : Seconds{};
}

void bound_by_hosts(const Partners& partners, GuestCuts& guest, const Network& network,
                    const Allocation& allocation, NamedBound& best) {
  if (allocation.hosts.empty()) return;
  BytesPerSecond most, sum;
  for (const HostId host : allocation.hosts) {
    const BytesPerSecond bandwidth = network.injection_bandwidth(host);
    most = std::max(most, bandwidth);
    sum += bandwidth;
  }
  const CutFamily hosts = host_sets(allocation);
  const SideRanks any = ranks_on_any(hosts, allocation.num_slots(), guest.num_ranks());
  const Leaving leaving = leaving_volume(partners, any.most);
  // Of what crosses the borders of all hosts, both ways, half leaves a host.
  const double half = guest.least_sum(any.fewest, any.most) / 2;
  improve(best, "one rank", time_over(leaving.most, most).value);
  improve(best, "hosts", seconds(std::max(leaving.sum.value, half), sum));
}

void bound_by_flows(const Partners& partners, const Allocation& allocation, BytesPerSecond most,
                    NamedBound& best) {
  if (allocation.hosts.empty()) return;
  const auto slots = static_cast<std::size_t>(std::max(
      1, ranks_on_any(host_sets(allocation), allocation.num_slots(), partners.num_ranks()).most));
  Bytes heaviest;
  std::vector<double> flows;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    flows.clear();
    for (const Partner& partner : partners.of(Rank{r}))
      flows.push_back(std::max(partner.sent, partner.received).value);
    if (flows.size() < slots) continue;
    const auto first_outside = flows.begin() + static_cast<std::ptrdiff_t>(slots - 1);
    std::nth_element(flows.begin(), first_outside, flows.end(), std::greater<>());
    heaviest = std::max(heaviest, Bytes{*first_outside});
  }
  improve(best, "one flow", time_over(heaviest, most).value);
}

void bound_by_cuts(GuestCuts& guest, const std::vector<CutFamily>& families, std::int64_t slots,
                   NamedBound& best) {
  for (const CutFamily& family : families) {
    BytesPerSecond sum;
    for (const NetworkCut& cut : family.cuts) {
      if (cut.slots == 0) continue;
      sum += cut.capacity;
      const SideRanks side = ranks_on(cut.slots, slots, guest.num_ranks());
      improve(best, family.name,
              seconds(guest.least_between(side.fewest, side.most), cut.capacity));
    }
    if (family.disjoint)
      improve(best, family.name, seconds(least_across(guest, family, slots), sum));
  }
}

}  // namespace vtopo::detail
