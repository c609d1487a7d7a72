#pragma once

#include <algorithm>
#include <span>
#include <vector>

/// Calls `visit` with every list of `count` integers >= 1 whose product is `number`, the last
/// varying fastest: slow and obvious.
template <class Visit>
void for_each_product(int number, int count, Visit visit, std::vector<int> begun = {}) {
  if (count == 0) {
    if (number == 1) visit(begun);
    return;
  }
  for (int factor = 1; factor <= number; ++factor) {
    if (number % factor != 0) continue;
    begun.push_back(factor);
    for_each_product(number / factor, count - 1, visit, begun);
    begun.pop_back();
  }
}

/// Difference between the largest and the smallest entry.
inline int spread(std::span<const int> sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return *most - *least;
}

/// The rule of dims_create, word by word: among the non-increasing lists with the smallest spread
/// the lexicographically smallest. `count` >= 1.
inline std::vector<int> optimal_by_definition(int number, int count) {
  std::vector<int> best;
  for_each_product(number, count, [&](const std::vector<int>& sizes) {
    if (!std::is_sorted(sizes.rbegin(), sizes.rend())) return;
    if (best.empty() || spread(sizes) < spread(best) ||
        (spread(sizes) == spread(best) && sizes < best))
      best = sizes;
  });
  return best;
}
