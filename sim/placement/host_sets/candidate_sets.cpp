#include "sim/placement/host_sets/candidate_sets.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/placement/host_sets/usual_sets.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Up to `most` of 0..count-1, evenly spread.
std::vector<int> spread(int count, int most) {
  const int chosen = std::min(count, most);
  std::vector<int> result(index(std::max(chosen, 0)));
  for (int i = 0; i < chosen; ++i) result[index(i)] = narrow<int>(std::int64_t{i} * count / chosen);
  return result;
}

void add_taken(const FreeHosts& from, std::span<const int> order, std::vector<HostSet>& sets) {
  if (auto set = take_hosts(from, order)) sets.push_back(std::move(*set));
}

/// Bins one after the other, from `first` on, and around.
std::vector<int> joined(const std::vector<std::vector<int>>& bins, int first, int count) {
  std::vector<int> order;
  for (int i = 0; i < count; ++i) {
    const auto& bin = bins[index((first + i) % int_size(bins))];
    order.insert(order.end(), bin.begin(), bin.end());
  }
  return order;
}

/// One of each bin in turn.
std::vector<int> dealt(const std::vector<std::vector<int>>& bins, int count) {
  std::vector<int> order;
  for (std::size_t i = 0; true; ++i) {
    const std::size_t before = order.size();
    for (int b = 0; b < count; ++b)
      if (i < bins[index(b)].size()) order.push_back(bins[index(b)][i]);
    if (order.size() == before) return order;
  }
}

void add_part_sets(const FreeHosts& from, const HostPartition& partition, int most,
                   std::vector<HostSet>& sets) {
  auto bins = free_by_part(from, partition);
  std::erase_if(bins, [](const auto& bin) { return bin.empty(); });
  const int count = int_size(bins);
  std::vector<HostSet> within;
  for (const auto& bin : bins) add_taken(from, bin, within);
  for (const int i : spread(int_size(within), most)) sets.push_back(within[index(i)]);
  for (const int first : spread(count, most)) add_taken(from, joined(bins, first, count), sets);
  std::stable_sort(bins.begin(), bins.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  add_taken(from, joined(bins, 0, count), sets);
  for (int parts = 2; parts < 2 * count; parts *= 2)
    add_taken(from, dealt(bins, std::min(parts, count)), sets);
}

/// Always the free host with the fewest hops to those that are in, ties: the first.
std::vector<int> grow(const FreeHosts& from, int seed, int count) {
  std::vector<std::int64_t> sum(index(from.size()));
  std::vector<int> hops(index(from.size())), order{seed};
  while (int_size(order) < count) {
    from.network.hops_from(from.host(order.back()), from.free.hosts, hops);
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += hops[p];
    sum[index(order.back())] = std::numeric_limits<std::int64_t>::max() / 2;
    order.push_back(narrow<int>(std::min_element(sum.begin(), sum.end()) - sum.begin()));
  }
  return order;
}

std::vector<int> nearest(const FreeHosts& from, int seed) {
  std::vector<int> hops(index(from.size())), order(index(from.size()));
  from.network.hops_from(from.host(seed), from.free.hosts, hops);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return hops[index(a)] < hops[index(b)]; });
  return order;
}

/// Hops that growing may ask for, all seeds together.
constexpr double most_grown_hops = 3e7;

}  // namespace

std::vector<HostSet> consecutive_sets(const FreeHosts& from, int most) {
  std::vector<int> order(index(from.size()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<HostSet> sets;
  for (const int first : spread(from.size(), most))
    add_taken(from, std::span(order).subspan(index(first)), sets);
  return sets;
}

std::vector<HostSet> part_sets(const FreeHosts& from, int most) {
  std::vector<HostSet> sets;
  for (const HostParts& parts : from.network.parts())
    for (const HostPartition& partition : parts.partitions)
      add_part_sets(from, partition, most, sets);
  return sets;
}

std::vector<HostSet> grown_sets(const FreeHosts& from, int seeds) {
  std::vector<HostSet> sets;
  const int count = int_size(first_hosts(from));
  const double hops_of_one = static_cast<double>(count) * from.size();
  const int affordable =
      std::max(1, static_cast<int>(std::min(most_grown_hops / hops_of_one, 1e6)));
  for (const int seed : spread(from.size(), seeds)) add_taken(from, nearest(from, seed), sets);
  for (const int seed : spread(from.size(), std::min(seeds, affordable)))
    add_taken(from, grow(from, seed, count), sets);
  return sets;
}

}  // namespace vtopo::detail
