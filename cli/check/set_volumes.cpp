#include "cli/check/set_volumes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace vtopo::detail::checking {

namespace {

double between_sets_by_trees(const Volumes& both, const Json& lists, std::size_t most,
                             const Claims& claims) {
  std::map<std::pair<std::size_t, std::size_t>, double> taken;
  double value = 0;
  for (const Json& list : lists) {
    const double weight = real(list.at(0));
    claims.require(weight >= 0, "bounds: a tree of negative weight");
    std::vector<std::size_t> ranks{whole(list.at(1), both.size())}, parents{0};
    for (std::size_t i = 2; i < list.size(); i += 2) {
      ranks.push_back(whole(list.at(i), both.size()));
      parents.push_back(whole(list.at(i + 1), ranks.size() - 1));
    }
    const std::set<std::size_t> distinct(ranks.begin(), ranks.end());
    claims.require(distinct.size() == ranks.size(), "bounds: a tree has a rank twice");
    Numbers below(ranks.size(), 1);
    for (std::size_t i = ranks.size(); --i > 0;) {
      taken[std::minmax(ranks[i], ranks[parents[i]])] += weight * below[i];
      below[parents[i]] += below[i];
    }
    if (ranks.size() > most) value += weight * static_cast<double>(ranks.size() - most);
  }
  for (const auto& [edge, bytes] : taken) {
    const auto found = both[edge.first].find(edge.second);
    claims.require(found != both[edge.first].end() && bytes <= found->second * (1 + rounding),
                   fmt::format("bounds: trees take more than ranks {} and {} exchange", edge.first,
                               edge.second));
  }
  return value;
}

double between_sets_by_forests(const Volumes& both, std::size_t most) {
  constexpr int max_forests = 8;
  std::vector<std::tuple<double, std::size_t, std::size_t>> edges;
  for (std::size_t r = 0; r < both.size(); ++r)
    for (const auto& [other, bytes] : both[r])
      if (other > r) edges.emplace_back(bytes, r, other);
  std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) {
    return std::get<double>(a) > std::get<double>(b);
  });
  double sum = 0;
  for (int forest = 0; forest < max_forests && !edges.empty(); ++forest) {
    std::vector<std::size_t> tree(both.size()), size(both.size(), 1);
    std::iota(tree.begin(), tree.end(), std::size_t{0});
    const auto root = [&](std::size_t rank) {
      while (tree[rank] != rank) rank = tree[rank] = tree[tree[rank]];
      return rank;
    };
    std::vector<std::pair<double, std::size_t>> kept;  // and a rank of their tree
    decltype(edges) left;
    for (const auto& edge : edges) {
      const auto [bytes, a, b] = edge;
      const std::size_t from = root(a), to = root(b);
      if (from == to) {
        left.push_back(edge);
        continue;
      }
      kept.emplace_back(bytes, a);
      tree[from] = to, size[to] += size[from];
    }
    std::vector<std::size_t> losses(both.size());
    for (auto edge = kept.rbegin(); edge != kept.rend(); ++edge) {
      const std::size_t at = root(edge->second);
      if (losses[at]++ < (size[at] - 1) / most) sum += edge->first;
    }
    edges = std::move(left);
  }
  return sum;
}

}  // namespace

double between_sets_by_graph(const Volumes& both, const Json& packings, std::size_t most,
                             const Claims& claims) {
  double value = between_sets_by_forests(both, most);
  for (const Json& packing : packings)
    if (whole(packing.at("set")) == most)
      value = std::max(value, between_sets_by_trees(both, packing.at("list"), most, claims));
  return value;
}

SmallSets::SmallSets(const Volumes& both) : cut_(std::size_t{1} << both.size()) {
  for (std::size_t set = 0; set < cut_.size(); ++set)
    for (std::size_t r = 0; r < both.size(); ++r)
      for (const auto& [other, bytes] : both[r])
        if ((set >> r & 1) != 0 && (set >> other & 1) == 0) cut_[set] += bytes;
}

double SmallSets::least(std::size_t count) const {
  double least = infinity;
  for (std::size_t set = 0; set < cut_.size(); ++set)
    if (static_cast<std::size_t>(std::popcount(set)) == count) least = std::min(least, cut_[set]);
  return least;
}

double SmallSets::least_between_sets(std::size_t fewest, std::size_t most) const {
  Numbers best(cut_.size(), infinity);
  best[0] = 0;
  for (std::size_t set = 1; set < best.size(); ++set) {
    const std::size_t first = set & (~set + 1), others = set ^ first;
    for (std::size_t part = others;; part = (part - 1) & others) {
      const std::size_t own = part | first;
      const auto size = static_cast<std::size_t>(std::popcount(own));
      if (size >= fewest && size <= most)
        best[set] = std::min(best[set], best[set ^ own] + cut_[own]);
      if (part == 0) break;
    }
  }
  return best.back() < infinity ? best.back() / 2 : 0;
}

}  // namespace vtopo::detail::checking
