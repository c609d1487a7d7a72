#include "netmodels/models/tree/subtrees.hpp"

#include "netmodels/link_rates.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_tree_distance = 1000000;

int checked_tree_hosts(const TreeSpec& spec) {
  if (spec.levels.empty()) throw UsageError("a tree needs at least one level");
  std::int64_t hosts = 1;
  int below = 1;
  for (const TreeLevel& level : spec.levels) {
    if (level.arity < 1)
      throw UsageError(fmt::format("tree of arity {}: each must be >= 1", level.arity));
    if (level.distance < 1 || level.distance > max_tree_distance)
      throw UsageError(fmt::format("tree with distance {}: accepted are 1 to {}", level.distance,
                                   max_tree_distance));
    if (level.distance < below)
      throw UsageError(
          fmt::format("tree with distance {} above {}: distances must not decrease "
                      "from the hosts up",
                      level.distance, below));
    below = level.distance;
    hosts *= level.arity;
    if (hosts > max_id / 2) throw UsageError("tree with more than 2147483647 directed links");
  }
  return narrow<int>(hosts);
}

}  // namespace

TreeRows::TreeRows(const TreeSpec& spec) {
  const int all = checked_tree_hosts(spec);
  std::int64_t vertices = 0;
  int hosts = 1, below = 0;
  for (const TreeLevel& level : spec.levels) {
    LinkProperties link = link_properties(level.rates, spec.defaults);
    link.hops = 0.5 * (level.distance - below);
    rows_.push_back({hosts, all / hosts, narrow<int>(vertices), level.distance, link.hops, link,
                     ExactDivision(hosts)});
    vertices += all / hosts;
    if (vertices > max_id / 2) throw UsageError("tree with more than 2147483647 directed links");
    hosts *= level.arity;
    below = level.distance;
  }
  root_ = narrow<int>(vertices);
}

LinkEnds TreeRows::ends(LinkId link) const {
  const int below = number(link) / 2;
  const std::size_t row = row_of(below);
  const int host = (below - rows_[row].first_vertex) * rows_[row].hosts;
  const int parent = above(host, row + 1);
  return number(link) % 2 == 0 ? LinkEnds{below, parent} : LinkEnds{parent, below};
}

}  // namespace vtopo::detail
