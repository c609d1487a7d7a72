#include <utility>

#include "netmodels/models/fat_tree/answers.hpp"

namespace vtopo::detail {

std::vector<HostParts> fat_tree_parts(const FatTreeLevels& levels) {
  std::vector<HostParts> parts;
  const std::pair<const char*, const char*> names[] = {{"leaf", "leaves"}, {"pod", "pods"}};
  for (int l = 0; l < levels.size() && l < 2; ++l) {
    const int hosts = levels[l].leaves * levels[l].shape.children;
    const auto [name, plural] = names[l];
    parts.push_back(
        {name, plural, {equal_parts(levels.num_hosts(), hosts, levels.num_hosts() / hosts)}});
  }
  return parts;
}

}  // namespace vtopo::detail
