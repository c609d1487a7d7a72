#include "netmodels/network_answers.hpp"

#include <algorithm>

#include "netmodels/models/fat_tree/answers.hpp"

namespace vtopo::detail {

namespace {

/// What one subtree of a level can send upwards.
struct Uplinks {
  std::int64_t hosts;   ///< below the subtree
  std::int64_t cables;  ///< out of the subtree
  BytesPerSecond bandwidth;

  double per_host() const {
    return bandwidth.value * static_cast<double>(cables) / static_cast<double>(hosts);
  }
};

}  // namespace

std::optional<Bisection> fat_tree_bisection(const FatTreeLevels& levels) {
  int top = levels.size();
  while (top > 0 && levels[top - 1].shape.children == 1) --top;
  if (top == 0) return std::nullopt;  // one host
  std::vector<Uplinks> uplinks;
  uplinks.reserve(index(top));
  for (int l = 0; l < top; ++l)
    uplinks.push_back({levels[l].leaves, levels[l].cables_of_subtree(), levels[l].link.bandwidth});
  const auto narrowest = std::min_element(
      uplinks.begin(), uplinks.end(),
      [](const Uplinks& a, const Uplinks& b) { return a.per_host() < b.per_host(); });
  const std::int64_t subtrees = levels.num_hosts() / 2 / narrowest->hosts;
  const std::int64_t links = subtrees * narrowest->cables;
  const BytesPerSecond bandwidth = narrowest->bandwidth * static_cast<double>(links);
  if (narrowest == uplinks.begin())
    return Bisection{bandwidth, links, true, "closed form: no level narrows, full bisection"};
  if (levels[top - 1].shape.children % 2 != 0) return std::nullopt;
  return Bisection{bandwidth, links, true, "closed form: narrowest level of half of the subtrees"};
}

}  // namespace vtopo::detail
