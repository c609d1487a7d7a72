#include "sim/bounds/congestion_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace vtopo::detail {

namespace {

/// What each rank must send out of its host whatever the embedding, the most first: a host with S
/// slots keeps at most the messages of a rank to S-1 others inside.
std::vector<double> leaving_volumes(const Partners& partners, int slots) {
  std::vector<double> leaving, volumes;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    volumes.clear();
    for (const Partner& partner : partners.of(Rank{r})) volumes.push_back(partner.sent.value);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    Bytes outside;
    for (std::size_t k = index(slots - 1); k < volumes.size(); ++k) outside += Bytes{volumes[k]};
    leaving.push_back(outside.value);
  }
  std::sort(leaving.begin(), leaving.end(), std::greater<>());
  return leaving;
}

/// What one of the doors must let through of flows that do not split, the heaviest `kept` left out.
double through_doors(std::vector<double>& flows, std::size_t kept, int doors) {
  if (flows.size() <= kept || doors < 1) return 0;
  std::sort(flows.begin(), flows.end(), std::greater<>());
  const auto count = static_cast<std::size_t>(doors);
  double most = 0;
  // The lightest `shared` of one more flow than `shared - 1` through each door.
  for (std::size_t shared = 1; kept + (shared - 1) * count < flows.size(); ++shared) {
    const std::size_t last = kept + (shared - 1) * count;
    double sum = 0;
    for (std::size_t k = last + 1 - shared; k <= last; ++k) sum += flows[k];
    most = std::max(most, sum);
  }
  return most;
}

double seconds(double volume, BytesPerSecond capacity) {
  return time_over(Bytes{volume}, capacity).value;
}

/// Ranks leave their cells with what each has, the most first, at best by the widest cuts.
double least_time_of_ranks(const std::vector<double>& leaving, const CutFamily& family) {
  std::vector<std::pair<double, std::int64_t>> cells;
  for (const NetworkCut& cut : family.cuts) cells.emplace_back(cut.capacity.value, cut.slots);
  std::sort(cells.begin(), cells.end(), std::greater<>());
  double longest = 0;
  std::size_t cell = 0;
  for (const double volume : leaving) {
    while (cell < cells.size() && cells[cell].second == 0) ++cell;
    if (cell == cells.size()) break;
    --cells[cell].second;
    longest = std::max(longest, seconds(volume, BytesPerSecond{cells[cell].first}));
  }
  return longest;
}

}  // namespace

void improve(NamedBound& best, std::string kind, double value) {
  constexpr double rounding = 1e-12;
  if (value > best.value * (1 + rounding)) best = {std::move(kind), value};
}

Seconds time_over(Bytes volume, BytesPerSecond bandwidth) {
  return volume.value > 0 && bandwidth.value > 0 ? volume / bandwidth : Seconds{};
}

void bound_by_hosts(const Partners& partners, GuestCuts& guest, const Network& network,
                    const Allocation& allocation, NamedBound& best) {
  if (allocation.hosts.empty()) return;
  BytesPerSecond most, sum;
  CutFamily hosts = host_sets(allocation);
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place) {
    const BytesPerSecond bandwidth = network.injection_bandwidth(allocation.hosts[place]);
    most = std::max(most, bandwidth);
    sum += bandwidth;
    hosts.cuts[place].capacity = bandwidth;
  }
  const SideRanks any = ranks_on_any(hosts, allocation.num_slots(), guest.num_ranks());
  const std::vector<double> leaving = leaving_volumes(partners, any.most);
  const double left = std::accumulate(leaving.begin(), leaving.end(), 0.0);
  // Of what crosses the borders of all hosts, both ways, half leaves a host.
  const double half = guest.least_sum(any.fewest, any.most) / 2;
  improve(best, "one rank", least_time_of_ranks(leaving, hosts));
  improve(best, "hosts", seconds(std::max(left, half), sum));
  improve(best, "hosts", seconds(guest.least_of_greatest(any.fewest, any.most).sent, most));
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

void bound_by_doors(const Partners& partners, const Allocation& allocation,
                    const std::vector<HostDoors>& doors, BytesPerSecond most, NamedBound& best) {
  if (doors.empty()) return;
  const auto slots = static_cast<std::size_t>(std::max(
      1, ranks_on_any(host_sets(allocation), allocation.num_slots(), partners.num_ranks()).most));
  int out = 0, in = 0;
  for (const HostDoors& host : doors) out = std::max(out, host.out), in = std::max(in, host.in);
  double heaviest = 0;
  std::vector<double> sent, received;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    sent.clear(), received.clear();
    for (const Partner& partner : partners.of(Rank{r})) {
      if (partner.sent.value > 0) sent.push_back(partner.sent.value);
      if (partner.received.value > 0) received.push_back(partner.received.value);
    }
    heaviest = std::max(
        {heaviest, through_doors(sent, slots - 1, out), through_doors(received, slots - 1, in)});
  }
  improve(best, "flows of one rank", seconds(heaviest, most));
}

void bound_by_cuts(GuestCuts& guest, const std::vector<CutFamily>& families, std::int64_t slots,
                   NamedBound& best) {
  for (const CutFamily& family : families) {
    BytesPerSecond sum, widest_one_way;
    for (const NetworkCut& cut : family.cuts) {
      if (cut.slots == 0) continue;
      sum += cut.capacity;
      widest_one_way = std::max(widest_one_way, cut.one_way);
      const SideRanks side = ranks_on(cut.slots, slots, guest.num_ranks());
      improve(best, family.name,
              seconds(guest.least_between(side.fewest, side.most), cut.capacity));
      improve(best, family.name, seconds(guest.least_one_way(side.fewest, side.most), cut.one_way));
    }
    if (!family.disjoint) continue;
    improve(best, family.name, seconds(least_across(guest, family, slots), sum));
    improve(best, family.name, least_shared_time(guest, family, slots));
    const SideRanks any = ranks_on_any(family, slots, guest.num_ranks());
    const GuestCuts::OneSet greatest = guest.least_of_greatest(any.fewest, any.most);
    improve(best, family.name, least_time_of_ranks(guest.beyond(any.most), family));
    improve(best, family.name, seconds(greatest.one_way, widest_one_way));
  }
}

}  // namespace vtopo::detail
