#include <fmt/format.h>

#include "netmodels/models/fat_tree/answers.hpp"

namespace vtopo::detail {

LevelLayout fat_tree_layout(const FatTreeLevels& levels) {
  LevelLayout layout{{{"hosts", levels.num_hosts()}}, levels[0].shape.children};
  for (int l = 0; l < levels.size(); ++l) {
    const FatTreeCables& below = levels[l];
    const int subtrees = levels.num_hosts() / below.leaves / below.shape.children;
    const int switches = l + 1 < levels.size() ? below.low_radix * below.shape.parents * subtrees
                                               : levels.num_roots();
    layout.levels.push_back({fmt::format("level {}", l + 1), switches});
  }
  return layout;
}

}  // namespace vtopo::detail
