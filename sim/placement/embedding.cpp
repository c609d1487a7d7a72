#include "sim/placement/embedding.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/placement/embedding_check.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

Allocation allocation_for(std::span<const HostId> hosts) {
  std::map<HostId, int> slots;
  for (const HostId host : hosts) ++slots[host];
  Allocation allocation;
  for (const auto& [host, count] : slots) {
    allocation.hosts.push_back(host);
    allocation.slots.push_back(count);
  }
  return allocation;
}

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

namespace {

constexpr int not_allocated = -1;

/// Slots by host id up to the largest id of the allocation.
std::vector<int> slots_by_host(const Allocation& allocation) {
  std::size_t size = 0;
  for (const HostId host : allocation.hosts) size = std::max(size, index(host) + 1);
  std::vector<int> slots(size, not_allocated);
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots[index(allocation.hosts[i])] = allocation.slots[i];
  return slots;
}

/// `32 hosts x 1 slot`, `4 hosts x 1..8 slots`.
std::string describe_slots(const Allocation& allocation) {
  if (allocation.hosts.empty()) return "no hosts";
  const auto [least, most] = std::minmax_element(allocation.slots.begin(), allocation.slots.end());
  const std::string hosts = counted(allocation.num_hosts(), "host");
  if (*least == *most) return fmt::format("{} x {}", hosts, counted(*most, "slot"));
  return fmt::format("{} x {}..{} slots", hosts, *least, *most);
}

}  // namespace

Embedding::Embedding(std::vector<HostId> hosts, const Allocation& allocation)
    : hosts_(std::move(hosts)) {
  const std::vector<int> slots = slots_by_host(allocation);
  std::vector<int> ranks(slots.size(), 0);
  for (std::size_t r = 0; r < hosts_.size(); ++r) {
    const HostId host = hosts_[r];
    if (number(host) < 0 || index(host) >= slots.size() || slots[index(host)] == not_allocated)
      throw FitError(
          fmt::format("rank {} on host {}: the host is not in the allocation", r, number(host)));
    if (++ranks[index(host)] > slots[index(host)])
      throw FitError(fmt::format("rank {} on host {}: the host is full with {}", r, number(host),
                                 counted(slots[index(host)], "rank")));
  }
}

std::vector<HostId> slot_hosts(const Allocation& allocation) {
  std::vector<HostId> hosts;
  hosts.reserve(index(allocation.num_slots()));
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    hosts.insert(hosts.end(), index(allocation.slots[i]), allocation.hosts[i]);
  return hosts;
}

Embedding embedding_on(const std::vector<HostId>& hosts) {
  return {hosts, allocation_for(hosts)};
}

std::vector<HostId> used_hosts(const Embedding& embedding) {
  std::vector<HostId> hosts = embedding.hosts();
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

void check_fit(int num_ranks, const Allocation& allocation) {
  const std::int64_t slots = allocation.num_slots();
  if (num_ranks <= slots) return;
  std::string advice = "allocate hosts";
  if (const int hosts = allocation.num_hosts(); hosts > 0) {
    const std::int64_t needed = (std::int64_t{num_ranks} + hosts - 1) / hosts;
    constexpr std::int64_t most = 1000000;  // as --slots accepts
    advice = needed <= most
                 ? fmt::format("raise --slots to at least {} or allocate more hosts", needed)
                 : "allocate more hosts";
  }
  throw FitError(fmt::format("{} {} not fit into {} ({}); {}", counted(num_ranks, "rank"),
                             num_ranks == 1 ? "does" : "do", counted(slots, "slot"),
                             describe_slots(allocation), advice));
}

void detail::check_embedding(const CommGraph& guest, const Network& network,
                             const Embedding& embedding) {
  if (embedding.num_ranks() != guest.num_ranks())
    throw UsageError(fmt::format("an embedding of {} for {}: the numbers must be equal",
                                 counted(embedding.num_ranks(), "rank"),
                                 counted(guest.num_ranks(), "rank")));
  for (int r = 0; r < embedding.num_ranks(); ++r)
    if (number(embedding.host_of(Rank{r})) >= network.num_hosts())
      throw UsageError(fmt::format("rank {} on host {} of a network with {}", r,
                                   number(embedding.host_of(Rank{r})),
                                   counted(network.num_hosts(), "host")));
}

}  // namespace vtopo
