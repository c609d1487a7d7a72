#include <utility>

#include "netmodels/models/fat_tree/answers.hpp"

namespace vtopo::detail {

std::vector<VertexCells> fat_tree_cuts(const FatTreeLevels& levels) {
  std::vector<VertexCells> families;
  for (int l = 0; l < levels.size() && levels[l].leaves < levels.num_hosts(); ++l) {
    const char* const name = l == 0 ? "hosts" : l == 1 ? "leaf switches" : "subtrees";
    const int leaves = levels[l].leaves;
    VertexCells cells{name, levels.num_hosts() / leaves, {}, AxisKind::complete, 1};
    for (int level = 0; level <= l; ++level) {
      const FatTreeCables& here = levels[level];
      const int nodes = here.low_radix * (levels.num_hosts() / here.leaves);
      const int per_subtree = here.low_radix * (leaves / here.leaves);
      for (int position = 0; position < nodes; ++position)
        cells.cell_of.push_back(position / per_subtree);
    }
    families.push_back(std::move(cells));
  }
  return families;
}

}  // namespace vtopo::detail
