#include "sim/evaluation/bounds/host_profiles.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "sim/evaluation/bounds/least_hops.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

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
    const auto entry = index(hops);
    if (entry >= slots_at.size()) slots_at.resize(entry + 1, 0);
    slots_at[entry] += slots[other] - (other == place ? 1 : 0);
  }
}

HostProfiles asked_profiles(const Network& network, const Allocation& allocation, std::size_t count,
                            const Progress& progress) {
  const FewerHops fewer = fewer_hops(network, allocation.hosts, progress);
  HostProfiles result;
  result.closest = std::numeric_limits<int>::max();
  for (const auto& row : fewer)
    for (const int hops : row) result.closest = std::min(result.closest, hops);
  if (allocation.num_hosts() < 2) result.closest = 0;
  std::map<HostProfile, int> known;
  std::vector<std::int64_t> slots_at;
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place) {
    count_slots(fewer, allocation.slots, place, slots_at);
    const auto [entry, is_new] =
        known.emplace(profile_of_slots(slots_at, count), int_size(result.profiles));
    if (is_new) result.profiles.push_back(entry->first);
    result.profile_of.push_back(entry->second);
  }
  return result;
}

HostProfiles profile_of_all(const Network& network, const Allocation& allocation, std::size_t count,
                            bool all_hops) {
  const int most = allocation.slots.empty()
                       ? 1
                       : *std::max_element(allocation.slots.begin(), allocation.slots.end());
  HostProfile nearest = nearest_by_shape(network, most, count);
  int one = all_hops ? 1 : 0;
  if (nearest.size() >= index(most)) one = std::min(one, nearest[index(most - 1)]);
  if (nearest.empty()) {
    nearest.assign(count, one);
    std::fill_n(nearest.begin(), std::min(count, index(most - 1)), 0);
  }
  return {{std::move(nearest)}, {}, one};
}

}  // namespace

/// Hosts without a route between them may be none that the job uses: its metrics show it. To search
/// for further ones may take long where each search fails, so what holds for any machine must do.
HostProfiles host_profiles(const Network& given, const Allocation& allocation, std::size_t count,
                           bool all_hops, const Progress& progress) {
  const LeastHops least(given);
  const Network& network = least.network();
  if (auto known = profiles_by_site(network, allocation, count, progress)) return std::move(*known);
  bool joins_hosts = true;
  if (allocation.num_hosts() <= max_exact_hosts) try {
      return asked_profiles(network, allocation, count, progress);
    } catch (const InputError&) {
      joins_hosts = false;
    }
  HostProfiles result = profile_of_all(network, allocation, count, all_hops);
  result.joins_hosts = joins_hosts;
  return result;
}

}  // namespace vtopo::detail
