#include "netmodels/models/fat_tree/answers.hpp"

namespace vtopo::detail {

std::vector<std::int64_t> fat_tree_distance_profile(const FatTreeLevels& levels) {
  std::vector<std::int64_t> at{1};
  for (const FatTreeCables& level : levels.all()) {
    at.push_back(0);
    at.push_back(std::int64_t{level.leaves} * (level.shape.children - 1));
  }
  return at;
}

}  // namespace vtopo::detail
