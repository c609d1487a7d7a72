#include <Eigen/Cholesky>
#include <bit>
#include <tuple>

#include "sim/check/evidence.hpp"

// What sets of ranks exchange at least, by arguments that look at the guest as a graph.
namespace vtopo::detail::checking {
namespace {

/// In bytes both ways, of each set of a small guest, as bits of its ranks.
Numbers cuts_of_all_sets(const Evidence& e) {
  Numbers cuts(std::size_t{1} << e.num_ranks);
  for (std::size_t set = 0; set < cuts.size(); ++set)
    for (std::size_t r = 0; r < e.num_ranks; ++r)
      for (const auto& [other, bytes] : e.both[r])
        if ((set >> r & 1) != 0 && (set >> other & 1) == 0) cuts[set] += bytes;
  return cuts;
}

/// Over all ways to part the ranks into sets of `fewest` to `most`; 0 if there is none.
double between_all_sets(const Evidence& e, std::size_t fewest, std::size_t most) {
  const Numbers cuts = cuts_of_all_sets(e);
  Numbers best(cuts.size(), infinity);
  best[0] = 0;
  for (std::size_t set = 1; set < best.size(); ++set) {
    const std::size_t first = set & (~set + 1), others = set ^ first;
    for (std::size_t part = others;; part = (part - 1) & others) {
      const std::size_t own = part | first;
      const auto size = static_cast<std::size_t>(std::popcount(own));
      if (size >= fewest && size <= most)
        best[set] = std::min(best[set], best[set ^ own] + cuts[own]);
      if (part == 0) break;
    }
  }
  return best.back() < infinity ? best.back() / 2 : 0;
}

/// Packed trees (spreading metrics: Even, Naor, Rao, Schieber, J. ACM 2000): of a tree of n ranks
/// all but `most` are in other sets than its root, so that an edge between is cut. No edge gives
/// more than it has, to each tree its weight times the ranks on the far side.
/// @param trees `[weight, root, rank, parent, rank, parent, ...]` each.
double by_trees(const Evidence& e, const Json& trees, std::size_t most) {
  std::map<std::pair<std::size_t, std::size_t>, double> taken;
  double value = 0;
  for (const Json& tree : trees) {
    const double weight = real(tree.at(0));
    e.require(weight >= 0, "bounds: a tree of negative weight");
    std::vector<std::size_t> ranks{whole(tree.at(1), e.num_ranks)}, parents{0};
    for (std::size_t i = 2; i < tree.size(); i += 2) {
      parents.push_back(whole(tree.at(i + 1), ranks.size()));
      ranks.push_back(whole(tree.at(i), e.num_ranks));
    }
    const std::set<std::size_t> distinct(ranks.begin(), ranks.end());
    e.require(distinct.size() == ranks.size(), "bounds: a tree has a rank twice");
    Numbers below(ranks.size(), 1);
    for (std::size_t i = ranks.size(); --i > 0;) {
      taken[std::minmax(ranks[i], ranks[parents[i]])] += weight * below[i];
      below[parents[i]] += below[i];
    }
    if (ranks.size() > most) value += weight * static_cast<double>(ranks.size() - most);
  }
  for (const auto& [edge, bytes] : taken)
    e.require(bytes <= volume_of(e.both, edge.first, edge.second) * (1 + rounding),
              fmt::format("bounds: trees take more than ranks {} and {} exchange", edge.first,
                          edge.second));
  return value;
}

/// Forests of the heaviest edges (Kruskal 1956), each of what the ones before have left: a tree of
/// n ranks meets n / `most` sets at least and loses one edge less, the lightest ones at least.
double by_forests(const Evidence& e, std::size_t most) {
  constexpr int max_forests = 8;
  std::vector<std::tuple<double, std::size_t, std::size_t>> edges;
  for (std::size_t r = 0; r < e.num_ranks; ++r)
    for (const auto& [other, bytes] : e.both[r])
      if (other > r) edges.emplace_back(-bytes, r, other);
  std::sort(edges.begin(), edges.end());
  double sum = 0;
  for (int forest = 0; forest < max_forests; ++forest) {
    std::vector<std::size_t> tree(e.num_ranks), size(e.num_ranks, 1), losses(e.num_ranks);
    std::iota(tree.begin(), tree.end(), std::size_t{0});
    const auto root = [&](std::size_t rank) {
      while (tree[rank] != rank) rank = tree[rank] = tree[tree[rank]];
      return rank;
    };
    decltype(edges) kept, left;
    for (const auto& edge : edges) {
      const std::size_t from = root(std::get<1>(edge)), to = root(std::get<2>(edge));
      (from == to ? left : kept).push_back(edge);
      if (from != to) tree[from] = to, size[to] += size[from];
    }
    for (auto edge = kept.rbegin(); edge != kept.rend(); ++edge) {
      const std::size_t at = root(std::get<1>(*edge));
      if (losses[at]++ < (size[at] - 1) / most) sum -= std::get<0>(*edge);
    }
    edges = std::move(left);
  }
  return sum;
}

/// Disjoint sets of so many ranks that hold all ranks; what flows between two counts for both.
double between_sets(const Evidence& e, const Family& family) {
  std::size_t first = e.num_ranks, most = 1;
  for (const Cut& cut : family.cuts)
    first = std::min(first, e.ranks_on(cut.slots).first),
    most = std::max(most, e.ranks_on(cut.slots).second);
  if (e.num_ranks <= max_small_ranks) return 2 * between_all_sets(e, first, most);
  const double by_partners = sum(beyond(e.both_beyond, most - 1));
  if (most >= e.num_ranks) return by_partners;
  double by_graph = by_forests(e, most), each = infinity;
  for (const Json& trees : e.witness().value("trees", Json::array()))
    if (whole(trees.at("set")) == most)
      by_graph = std::max(by_graph, by_trees(e, trees.at("list"), most));
  first = std::max<std::size_t>(first, 1);
  for (std::size_t k = first; k <= most; ++k)
    each = std::min(each, e.least_of(k, k) / static_cast<double>(k));
  return std::max(
      {by_partners, 2 * by_graph, each * count(e.both), 2 * between_parts_of_grid(e, first, most)});
}

/// Cells that share all ranks: for any price per rank no less than the ranks times the price and,
/// of each cell, the least of its sizes less their price. And the least time in which they can have
/// all ranks.
std::pair<double, double> by_shared_ranks(const Evidence& e, const Family& family) {
  constexpr double max_sizes = 1 << 14;
  const auto n = static_cast<double>(e.num_ranks);
  std::map<std::tuple<std::size_t, std::size_t, double>, double> cells;
  for (const Cut& cut : family.cuts)
    ++cells[std::tuple_cat(e.ranks_on(cut.slots), std::tuple(cut.capacity))];
  double sizes = 0, high = 0;
  std::set<double> times;
  for (const auto& [cell, number] : cells)
    sizes += static_cast<double>(std::get<1>(cell) - std::get<0>(cell) + 1);
  if (sizes > max_sizes) return {0, 0};
  const auto time_of = [&](std::size_t k, double capacity) {
    const double least = e.least_of(k, k);
    return least == 0 ? 0 : least / capacity;
  };
  for (const auto& [cell, number] : cells)
    for (auto [k, most, capacity] = cell; k <= most; ++k)
      high = std::max(high, e.least_of(k, k)), times.insert(time_of(k, capacity));
  const auto fits = [&](double time) {
    double room = 0;
    for (const auto& [cell, number] : cells) {
      auto [fewest, k, capacity] = cell;
      while (k > fewest && time_of(k, capacity) > time) --k;
      if (time_of(k, capacity) > time) return false;
      room += static_cast<double>(k) * number;
    }
    return room >= n;
  };
  const auto time = std::find_if(times.begin(), times.end(), fits);
  double low = -high, sum = 0;
  for (int step = 0; step < 100; ++step) {
    const double price = (low + high) / 2;
    double value = price * n, taken = 0;
    for (const auto& [cell, number] : cells) {
      std::pair<double, double> best{infinity, 0};
      for (auto [k, most, capacity] = cell; k <= most; ++k) {
        const auto ranks = static_cast<double>(k);
        best = std::min(best, {e.least_of(k, k) - price * ranks, ranks});
      }
      value += best.first * number, taken += best.second * number;
    }
    sum = std::max(sum, value);
    (taken < n ? low : high) = price;
  }
  return {sum, time == times.end() || *time == infinity ? 0 : *time};
}

Family hosts_of(const Evidence& e) {
  Family family{"hosts", {}, true, 0};
  for (const std::size_t slots : e.slots) family.cuts.push_back({slots, 0});
  return family;
}

}  // namespace

double cut_by_partners(const Evidence& e, std::size_t ranks) {
  double most = 0;
  for (const std::size_t k : {ranks, e.num_ranks - std::min(ranks, e.num_ranks)}) {
    if (k == 0 || k >= e.num_ranks) return 0;
    Numbers rest = beyond(e.both_beyond, k - 1);
    std::sort(rest.begin(), rest.end());
    rest.resize(k);
    most = std::max(most, sum(rest));
  }
  return most;
}

double cut_of_any_set(const Evidence& e, std::size_t k) {
  if (e.num_ranks > max_small_ranks || k > e.num_ranks) return 0;
  const Numbers cuts = cuts_of_all_sets(e);
  double least = infinity;
  for (std::size_t set = 0; set < cuts.size(); ++set)
    if (static_cast<std::size_t>(std::popcount(set)) == k) least = std::min(least, cuts[set]);
  return least;
}

/// Fiedler 1973: by the second eigenvalue of the Laplacian, which is no less if the matrix less the
/// value on the diagonal, and its constant vector lifted, is positive definite. Up to 1,024 ranks.
bool has_connectivity(const Evidence& e, double value) {
  const auto n = static_cast<Eigen::Index>(e.num_ranks);
  const double most = greatest(beyond(e.both_beyond, 0));
  if (n > 1024 || !std::isfinite(value)) return false;
  Eigen::MatrixXd m = Eigen::MatrixXd::Constant(n, n, (value + most) / static_cast<double>(n));
  for (Eigen::Index r = 0; r < n; ++r) {
    m(r, r) -= value;
    for (const auto& [other, bytes] : e.both[static_cast<std::size_t>(r)])
      m(r, r) += bytes, m(r, static_cast<Eigen::Index>(other)) -= bytes;
  }
  return Eigen::LLT<Eigen::MatrixXd>(m).info() == Eigen::Success;
}

std::pair<double, double> between_cells(const Evidence& e, const Family& family) {
  std::size_t slots = 0, together = 1;
  for (const Cut& cut : family.cuts)
    slots += cut.slots, together = std::max(together, e.ranks_on(cut.slots).second);
  e.require(slots == e.num_slots, "bounds: hosts outside of all cells");
  const auto [shared, time] = by_shared_ranks(e, family);
  // Ranks that exchange most with those that have no room beside them are in the widest cells.
  Numbers volumes = beyond(e.both_beyond, together - 1), widths;
  for (const Cut& cut : family.cuts) widths.insert(widths.end(), cut.slots, cut.capacity);
  std::sort(volumes.rbegin(), volumes.rend()), std::sort(widths.rbegin(), widths.rend());
  double of_ranks = 0;
  for (std::size_t r = 0; r < volumes.size(); ++r)
    of_ranks = std::max(of_ranks, time_over(volumes[r], widths.at(r)));
  return {std::max(shared, between_sets(e, family)), std::max(time, of_ranks)};
}

double between_hosts(const Evidence& e) {
  return between_sets(e, hosts_of(e)) / 2;
}

/// Trees that no bound hangs on are trees too.
void check_trees(const Evidence& e) {
  if (e.num_ranks > max_listed_tree_ranks && !e.witness().contains("trees")) return;
  const Json& list = e.member(e.witness(), "trees");
  e.require(list.is_array(), "bounds: trees are not a list");
  for (const Json& trees : list) by_trees(e, trees.at("list"), whole(trees.at("set")));
  e.vouch_if(list.empty(), list);
}

/// As many hops as between the closest hosts.
Proof hop_bytes_between_hosts(Evidence& e) {
  if (e.least.empty()) return std::nullopt;
  return between_cells(e, hosts_of(e)).first / 2 * real(e.witness().at("closest"));
}

Proof time_of_hosts(Evidence& e) {
  if (e.least.empty()) return std::nullopt;
  const double leaving = sum(beyond(e.sent_beyond, e.max_slots - 1));
  return time_over(std::max(leaving, between_hosts(e)), sum(e.injection));
}

}  // namespace vtopo::detail::checking
