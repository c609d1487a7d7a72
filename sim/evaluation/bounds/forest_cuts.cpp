#include "sim/evaluation/bounds/forest_cuts.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace vtopo::detail {

namespace {

/// Beyond so many forests little is left.
constexpr int max_forests = 8;

struct ForestEdge {
  double volume;
  int low, high;
};

/// What one forest loses; its edges are taken out of `edges`, heaviest first.
double take_forest(std::vector<ForestEdge>& edges, int ranks, int most) {
  boost::disjoint_sets_with_storage<> trees(static_cast<std::size_t>(ranks));
  const auto tree_of = [&](int rank) { return trees.find_set(static_cast<std::size_t>(rank)); };
  std::vector<ForestEdge> rest, forest;
  for (const ForestEdge& edge : edges) {
    const std::size_t low = tree_of(edge.low), high = tree_of(edge.high);
    (low == high ? rest : forest).push_back(edge);
    if (low != high) trees.link(low, high);
  }
  std::vector<int> losses(static_cast<std::size_t>(ranks), 0);  // first ranks, then edges, of each
  for (int rank = 0; rank < ranks; ++rank) ++losses[tree_of(rank)];
  for (int& loss : losses) loss = (std::max(loss, 1) - 1) / most;
  double lost = 0;
  for (auto edge = forest.rbegin(); edge != forest.rend(); ++edge)
    if (losses[tree_of(edge->low)]-- > 0) lost += edge->volume;
  edges = std::move(rest);
  return lost;
}

}  // namespace

double least_across_forests(const Partners& partners, int most) {
  const int ranks = partners.num_ranks();
  if (most < 1 || ranks < 2) return 0;
  std::vector<ForestEdge> edges;
  for (int r = 0; r < ranks; ++r)
    for (const Partner& partner : partners.of(Rank{r}))
      if (partner.rank > Rank{r}) edges.push_back({partner.both().value, r, number(partner.rank)});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const ForestEdge& a, const ForestEdge& b) { return a.volume > b.volume; });
  double sum = 0;
  for (int forest = 0; forest < max_forests && !edges.empty(); ++forest)
    sum += take_forest(edges, ranks, most);
  return sum;
}

}  // namespace vtopo::detail
