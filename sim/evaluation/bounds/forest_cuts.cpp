#include "sim/evaluation/bounds/forest_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
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

class Components {
 public:
  explicit Components(int ranks)
      : parent_(static_cast<std::size_t>(ranks)), size_(parent_.size(), 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  int of(int rank) {
    int root = rank;
    while (parent_[at(root)] != root) root = parent_[at(root)];
    while (parent_[at(rank)] != root) rank = std::exchange(parent_[at(rank)], root);
    return root;
  }

  /// False if both are in one already.
  bool join(int a, int b) {
    a = of(a), b = of(b);
    if (a == b) return false;
    if (size_[at(a)] < size_[at(b)]) std::swap(a, b);
    parent_[at(b)] = a;
    size_[at(a)] += size_[at(b)];
    return true;
  }

  int size(int root) const { return size_[at(root)]; }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

  std::vector<int> parent_;
  std::vector<int> size_;
};

/// What one forest loses; its edges are taken out of `edges`, heaviest first.
double take_forest(std::vector<ForestEdge>& edges, int ranks, int most) {
  Components components(ranks);
  std::vector<ForestEdge> rest, forest;
  for (const ForestEdge& edge : edges)
    (components.join(edge.low, edge.high) ? forest : rest).push_back(edge);
  std::vector<int> losses(static_cast<std::size_t>(ranks), 0);
  for (int rank = 0; rank < ranks; ++rank)
    if (components.of(rank) == rank)
      losses[static_cast<std::size_t>(rank)] = (components.size(rank) - 1) / most;
  double lost = 0;
  for (auto edge = forest.rbegin(); edge != forest.rend(); ++edge)
    if (losses[static_cast<std::size_t>(components.of(edge->low))]-- > 0) lost += edge->volume;
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
