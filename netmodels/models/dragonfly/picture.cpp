#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo::detail {

GroupLayout dragonfly_picture(const DragonflySpec& spec, const DragonflyLayout& layout) {
  const bool is_equal = layout.has_equal_groups();
  const int square = static_cast<int>(std::ceil(std::sqrt(spec.blades)));
  const int columns = is_equal ? spec.blades : square;
  const int rows = is_equal ? spec.chassis : (spec.blades + columns - 1) / columns;
  std::vector<int> starts;
  for (int group = 0; !is_equal && group <= spec.groups; ++group)
    starts.push_back(layout.first_router(group));
  return {{"group", spec.groups, " "},
          "groups",
          rows,
          columns,
          layout.num_hosts(),
          fmt::format("{}{} at each router", is_equal ? "" : "up to ", spec.hosts_per_blade),
          "a router's cables to all others of its row (green) and of its column (black)",
          std::move(starts)};
}

}  // namespace vtopo::detail
