#include "sim/placement/host_sets/usual_sets.hpp"

#include <algorithm>
#include <numeric>

#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

std::vector<int> all_positions(const FreeHosts& from) {
  std::vector<int> positions(index(from.size()));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

std::int64_t slots_of(const FreeHosts& from, const std::vector<int>& positions) {
  std::int64_t slots = 0;
  for (const int position : positions) slots += from.slots(position);
  return slots;
}

/// Free positions in runs of consecutive host numbers.
std::vector<std::vector<int>> consecutive_runs(const FreeHosts& from) {
  std::vector<std::vector<int>> runs;
  for (int p = 0; p < from.size(); ++p) {
    if (p == 0 || number(from.host(p)) != number(from.host(p - 1)) + 1) runs.emplace_back();
    runs.back().push_back(p);
  }
  return runs;
}

/// The bin with the fewest slots that suffice; nothing if none does.
std::optional<HostSet> best_fit(const FreeHosts& from, const std::vector<std::vector<int>>& bins) {
  const std::vector<int>* best = nullptr;
  for (const auto& bin : bins)
    if (slots_of(from, bin) >= from.ranks &&
        (best == nullptr || slots_of(from, bin) < slots_of(from, *best)))
      best = &bin;
  if (best == nullptr) return std::nullopt;
  return take_hosts(from, *best);
}

/// Bins with the most slots first.
HostSet fullest_first(const FreeHosts& from, std::vector<std::vector<int>> bins) {
  std::stable_sort(bins.begin(), bins.end(), [&](const auto& a, const auto& b) {
    return slots_of(from, a) > slots_of(from, b);
  });
  std::vector<int> order;
  for (const auto& bin : bins) order.insert(order.end(), bin.begin(), bin.end());
  return *take_hosts(from, order);
}

}  // namespace

std::vector<std::vector<int>> free_by_part(const FreeHosts& from, const HostPartition& parts) {
  std::vector<std::vector<int>> bins(index(parts.count));
  for (int p = 0; p < from.size(); ++p)
    bins[index(parts.part_of[index(from.host(p))])].push_back(p);
  return bins;
}

HostSet first_hosts(const FreeHosts& from) {
  return *take_hosts(from, all_positions(from));
}

HostSet random_hosts(const FreeHosts& from, std::uint64_t seed) {
  std::vector<int> order = all_positions(from);
  Random random(seed);
  shuffle(std::span(order), random);
  return *take_hosts(from, order);
}

HostSet scheduled_hosts(const FreeHosts& from) {
  std::vector<std::vector<std::vector<int>>> kinds;
  for (const HostParts& parts : from.network.parts())
    if (!parts.by_dimension) kinds.push_back(free_by_part(from, parts.partitions.front()));
  if (kinds.empty()) kinds.push_back(consecutive_runs(from));
  // the most parts are the smallest ones
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const auto& bins : kinds)
    if (auto set = best_fit(from, bins)) return *set;
  return fullest_first(from, kinds.front());
}

}  // namespace vtopo::detail
