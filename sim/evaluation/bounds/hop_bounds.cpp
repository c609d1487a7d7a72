#include "sim/evaluation/bounds/hop_bounds.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "sim/evaluation/bounds/assignment.hpp"
#include "sim/evaluation/bounds/shared_ranks.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_assigned_slots = 256;
constexpr double max_products = 2e8;

double matched(const RankType& type, const HostProfile& profile) {
  double sum = 0;
  for (std::size_t k = 0; k < type.volumes.size(); ++k) sum += type.volumes[k] * profile[k];
  return sum;
}

/// Entry k: the least of all profiles.
HostProfile least_profile(const std::vector<HostProfile>& profiles) {
  HostProfile least = profiles.front();
  for (const HostProfile& profile : profiles)
    for (std::size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], profile[k]);
  return least;
}

bool too_many(const RankTypes& ranks, const HostProfiles& hosts) {
  double volumes = 0;
  for (const RankType& type : ranks.types) volumes += static_cast<double>(type.volumes.size());
  return volumes * static_cast<double>(hosts.profiles.size()) > max_products;
}

/// Least sum over one dimension, in edges of one copy of the hypercube of its size.
double hypercube_on_line(const NetworkAxis& axis) {
  const double size = axis.size;
  return axis.kind == AxisKind::ring && axis.size > 2 ? 3 * size * size / 8 - size / 2
                                                      : size * size / 2 - size / 2;
}

}  // namespace

double nearest_slots_bound(const RankTypes& ranks, const HostProfiles& hosts) {
  if (hosts.profiles.empty()) return 0;
  const std::vector<HostProfile> one{too_many(ranks, hosts) ? least_profile(hosts.profiles)
                                                            : HostProfile{}};
  const auto& profiles = one.front().empty() ? hosts.profiles : one;
  double twice = 0;
  for (const RankType& type : ranks.types) {
    double least = std::numeric_limits<double>::infinity();
    for (const HostProfile& profile : profiles) least = std::min(least, matched(type, profile));
    twice += least * type.ranks;
  }
  return twice / 2;
}

std::vector<std::vector<double>> assignment_costs(const RankTypes& ranks, const HostProfiles& hosts,
                                                  const Allocation& allocation) {
  std::vector<std::vector<double>> values;
  for (const RankType& type : ranks.types) {
    values.emplace_back();
    for (const HostProfile& profile : hosts.profiles)
      values.back().push_back(matched(type, profile));
  }
  std::vector<std::vector<double>> costs;
  for (const int type : ranks.type_of) {
    costs.emplace_back();
    for (std::size_t place = 0; place < allocation.slots.size(); ++place)
      costs.back().insert(costs.back().end(), index(allocation.slots[place]),
                          values[index(type)][index(hosts.profile_of[place])]);
  }
  return costs;
}

double assignment_bound(const RankTypes& ranks, const HostProfiles& hosts,
                        const Allocation& allocation) {
  const std::int64_t slots = allocation.num_slots();
  if (slots > max_assigned_slots || hosts.profiles.size() < 2 || hosts.profile_of.empty()) return 0;
  return least_assignment(assignment_costs(ranks, hosts, allocation)) / 2;
}

double hypercube_bound(const GuestCuts& guest, const Network& network,
                       const Allocation& allocation) {
  const auto grid = network.coordinates();
  if (!grid || grid->hosts_per_router != 1 || !guest.grid()) return 0;
  const int hosts = network.num_hosts();
  if (guest.num_ranks() != hosts || allocation.num_hosts() != hosts ||
      allocation.num_slots() != hosts)
    return 0;
  for (const GuestSide& side : guest.grid()->sides)
    if (side.size != 2) return 0;
  double sum = 0;
  for (const NetworkAxis& axis : grid->axes) {
    if (axis.kind == AxisKind::complete || !std::has_single_bit(static_cast<unsigned>(axis.size)))
      return 0;
    const auto lines = hosts / axis.size;
    sum += lines * hypercube_on_line(axis);
  }
  return sum * guest.grid()->sides.front().volume;
}

SideRanks ranks_on(std::int64_t slots, std::int64_t all, int ranks) {
  const std::int64_t fewest = std::max<std::int64_t>(0, ranks - (all - slots));
  return {narrow<int>(fewest), narrow<int>(std::min<std::int64_t>(slots, ranks))};
}

SideRanks ranks_on_any(const CutFamily& family, std::int64_t all, int ranks) {
  SideRanks any{ranks, 0};
  for (const NetworkCut& cut : family.cuts) {
    if (cut.slots == 0) continue;
    const SideRanks side = ranks_on(cut.slots, all, ranks);
    any = {std::min(any.fewest, side.fewest), std::max(any.most, side.most)};
  }
  return any;
}

CutFamily host_sets(const Allocation& allocation) {
  CutFamily family{"hosts", {}, true, 0};
  for (const int slots : allocation.slots) family.cuts.push_back({slots, {}, {}});
  return family;
}

double least_across(GuestCuts& guest, const CutFamily& family, std::int64_t slots) {
  const int ranks = guest.num_ranks();
  if (family.disjoint) {
    const SideRanks any = ranks_on_any(family, slots, ranks);
    return std::max(guest.least_sum(any.fewest, any.most), least_shared_sum(guest, family, slots));
  }
  double sum = 0;
  for (const NetworkCut& cut : family.cuts) {
    const SideRanks side = ranks_on(cut.slots, slots, ranks);
    sum += guest.least_between(side.fewest, side.most);
  }
  return sum;
}

double cuts_bound(GuestCuts& guest, const std::vector<CutFamily>& families, std::int64_t slots) {
  double sum = 0;
  for (const CutFamily& family : families)
    if (family.hops > 0) sum += family.hops * least_across(guest, family, slots);
  return sum;
}

}  // namespace vtopo::detail
