#include "sim/bounds/hop_bounds.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/bounds/assignment.hpp"
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

namespace {

constexpr int max_shared_sizes = 1 << 14;
constexpr double unreachable = std::numeric_limits<double>::infinity();

/// Cells with as many slots and the same capacity.
struct CellKind {
  SideRanks ranks;
  double capacity;
  int cells;
};

/// Nothing where there are too many sizes.
std::vector<CellKind> cell_kinds(const CutFamily& family, std::int64_t slots, int ranks) {
  std::map<std::tuple<int, int, double>, int> counts;
  for (const NetworkCut& cut : family.cuts) {
    const SideRanks side = ranks_on(cut.slots, slots, ranks);
    if (cut.slots > 0) ++counts[{side.fewest, side.most, cut.capacity.value}];
  }
  std::vector<CellKind> kinds;
  int sizes = 0;
  for (const auto& [side, cells] : counts) {
    const auto [fewest, most, capacity] = side;
    kinds.push_back({{fewest, most}, capacity, cells});
    if (most - fewest > max_shared_sizes || (sizes += most - fewest + 1) > max_shared_sizes)
      return {};
  }
  return kinds;
}

/// What all cells exchange less the price of their ranks, at least, and how many ranks make it so.
std::pair<double, double> least_at_price(GuestCuts& guest, const std::vector<CellKind>& kinds,
                                         double price) {
  double sum = 0, ranks = 0;
  for (const CellKind& kind : kinds) {
    double least = unreachable;
    int at = 0;
    for (int k = kind.ranks.fewest; k <= kind.ranks.most; ++k) {
      const double value = guest.least(k) - price * k;
      if (value < least) least = value, at = k;
    }
    sum += least * kind.cells;
    ranks += static_cast<double>(at) * kind.cells;
  }
  return {sum, ranks};
}

/// A number of ranks in a kind of cells, and the time that it takes to send.
struct Filling {
  double time;
  std::size_t kind;
  int ranks;
};

std::vector<Filling> fillings_by_time(GuestCuts& guest, const std::vector<CellKind>& kinds) {
  std::vector<Filling> fillings;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    for (int k = kinds[kind].ranks.fewest; k <= kinds[kind].ranks.most; ++k) {
      const double volume = guest.least(k), capacity = kinds[kind].capacity;
      if (volume == 0 || capacity > 0)
        fillings.push_back({volume == 0 ? 0 : volume / capacity, kind, k});
    }
  std::sort(fillings.begin(), fillings.end(), [](const Filling& a, const Filling& b) {
    return std::tie(a.time, a.kind, a.ranks) < std::tie(b.time, b.kind, b.ranks);
  });
  return fillings;
}

}  // namespace

double least_shared_sum(GuestCuts& guest, const CutFamily& family, std::int64_t slots) {
  const auto kinds = cell_kinds(family, slots, guest.num_ranks());
  if (kinds.empty()) return 0;
  double high = 0;
  for (const CellKind& kind : kinds)
    for (int k = kind.ranks.fewest; k <= kind.ranks.most; ++k)
      high = std::max(high, guest.least(k));
  double low = -high, best = 0;
  constexpr int halvings = 100;
  for (int step = 0; step < halvings && low < high; ++step) {
    const double price = std::midpoint(low, high);
    const auto [sum, ranks] = least_at_price(guest, kinds, price);
    best = std::max(best, sum + price * guest.num_ranks());
    (ranks < guest.num_ranks() ? low : high) = price;
    if (ranks == guest.num_ranks()) break;
  }
  constexpr double rounding_of_sums = 1e-12;
  return best * (1 - rounding_of_sums);
}

double least_shared_time(GuestCuts& guest, const CutFamily& family, std::int64_t slots) {
  const auto kinds = cell_kinds(family, slots, guest.num_ranks());
  std::vector<int> most(kinds.size(), -1);
  std::size_t missing = kinds.size();
  std::int64_t ranks = 0;
  for (const Filling& filling : fillings_by_time(guest, kinds)) {
    int& known = most[filling.kind];
    if (known < 0) --missing;
    if (filling.ranks > known) {
      ranks +=
          static_cast<std::int64_t>(filling.ranks - std::max(0, known)) * kinds[filling.kind].cells;
      known = filling.ranks;
    }
    if (missing == 0 && ranks >= guest.num_ranks()) return filling.time;
  }
  return 0;
}

}  // namespace vtopo::detail
