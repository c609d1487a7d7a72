#include "cli/check/shared_ranks.hpp"

#include <algorithm>
#include <set>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

std::pair<double, double> by_shared_ranks(const std::map<Cell, double>& cells, std::size_t ranks,
                                          const std::function<double(std::size_t)>& least) {
  constexpr double max_sizes = 1 << 14;
  const auto n = static_cast<double>(ranks);
  const auto time_of = [&](const Cell& cell, std::size_t k) {
    return least(k) == 0 ? 0 : least(k) / cell.capacity;
  };
  double sizes = 0, high = 0;
  for (const auto& [cell, number] : cells)
    sizes += static_cast<double>(cell.most - cell.fewest + 1);
  if (sizes > max_sizes) return {0, 0};
  std::set<double> times;
  for (const auto& [cell, number] : cells)
    for (std::size_t k = cell.fewest; k <= cell.most; ++k)
      high = std::max(high, least(k)), times.insert(time_of(cell, k));
  const auto fits = [&](double time) {
    double room = 0;
    for (const auto& [cell, number] : cells) {
      std::size_t k = cell.most;
      while (k > cell.fewest && time_of(cell, k) > time) --k;
      if (time_of(cell, k) > time) return false;
      room += static_cast<double>(k) * number;
    }
    return room >= n;
  };
  const auto first = std::find_if(times.begin(), times.end(), fits);
  double low = -high, sum = 0;
  for (int step = 0; step < 100; ++step) {
    const double price = (low + high) / 2;
    double value = price * n, taken = 0;
    for (const auto& [cell, number] : cells) {
      double best = infinity;
      std::size_t at = 0;
      for (std::size_t k = cell.fewest; k <= cell.most; ++k) {
        const double worth = least(k) - price * static_cast<double>(k);
        if (worth < best) best = worth, at = k;
      }
      value += best * number, taken += static_cast<double>(at) * number;
    }
    sum = std::max(sum, value);
    (taken < n ? low : high) = price;
  }
  return {sum, first == times.end() || *first == infinity ? 0 : *first};
}

}  // namespace vtopo::detail::checking
