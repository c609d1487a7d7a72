#include "netmodels/models/fat_tree/levels.hpp"

#include "netmodels/links.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::int64_t checked(std::int64_t count) {
  if (count > max_id)
    throw UsageError("fat tree with more than 2147483647 directed links or switches");
  return count;
}

int count_hosts(const FatTreeSpec& spec) {
  if (spec.levels.empty()) throw UsageError("a fat tree needs at least one level");
  std::int64_t hosts = 1;
  for (const auto& [children, parents, cables, rates] : spec.levels) {
    for (const int count : {children, parents, cables})
      if (count < 1) throw UsageError(fmt::format("fat-tree number {}: each must be >= 1", count));
    hosts *= children;
    if (hosts > max_id) throw UsageError("fat tree with more than 2147483647 hosts");
  }
  return narrow<int>(hosts);
}

}  // namespace

FatTreeLevels::FatTreeLevels(const FatTreeSpec& spec, bool joined_tops)
    : num_hosts_(count_hosts(spec)), roots_per_top_(joined_tops ? spec.levels.front().parents : 1) {
  std::int64_t low_radix = 1, leaves = 1, vertices = 0, cables = 0, subtrees = 0;
  for (const FatTreeLevel& shape : spec.levels) {
    const std::int64_t here = checked(low_radix * (num_hosts_ / leaves));
    const std::int64_t ports = checked(std::int64_t{shape.parents} * shape.cables);
    const std::int64_t cables_here = checked(here * ports);
    checked(2 * (cables + cables_here));  // and no more nodes, for each has a cable of its own
    levels_.push_back({shape, narrow<int>(low_radix), narrow<int>(leaves), narrow<int>(vertices),
                       narrow<int>(cables), narrow<int>(subtrees),
                       link_properties(shape.rates, spec.defaults)});
    vertices += here;
    cables += cables_here;
    subtrees += num_hosts_ / leaves;
    low_radix = checked(low_radix * shape.parents);
    leaves *= shape.children;
  }
  first_root_ = narrow<int>(vertices);
  num_cables_ = narrow<int>(cables);
  num_subtrees_ = narrow<int>(subtrees);
}

int FatTreeLevels::level_of(LinkId link) const {
  int level = size() - 1;
  while ((*this)[level].first_cable > number(link) / 2) --level;
  return level;
}

int FatTreeLevels::port(LinkId link) const {
  const FatTreeCables& here = (*this)[level_of(link)];
  return (number(link) / 2 - here.first_cable) % here.ports();
}

LinkEnds FatTreeLevels::ends(LinkId link) const {
  const int level = level_of(link);
  const FatTreeCables& here = (*this)[level];
  const int position = (number(link) / 2 - here.first_cable) / here.ports();
  const int digit = port(link) % here.shape.parents;
  const int low = position % here.low_radix, subtree = position / here.low_radix;
  const int parent =
      low + here.low_radix * (digit + here.shape.parents * (subtree / here.shape.children));
  const int below = here.first_vertex + position;
  const int above =
      first_vertex(level + 1) + (level + 1 < size() ? parent : parent / roots_per_top_);
  return number(link) % 2 == 0 ? LinkEnds{below, above} : LinkEnds{above, below};
}

FatTreeLevels::Place FatTreeLevels::place(int vertex) const {
  int level = size();
  while (first_vertex(level) > vertex) --level;
  return {level, vertex - first_vertex(level)};
}

}  // namespace vtopo::detail
