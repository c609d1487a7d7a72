#include "sim/evaluation/bounds/shared_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/evaluation/bounds/hop_bounds.hpp"

namespace vtopo::detail {

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
