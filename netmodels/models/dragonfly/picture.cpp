#include <fmt/format.h>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo {

GroupLayout dragonfly_picture(const DragonflySpec& spec, int hosts) {
  return {{"group", spec.groups, " "},
          "groups",
          spec.chassis,
          spec.blades,
          hosts,
          fmt::format("{} at each router", spec.hosts_per_blade),
          "a router's cables to all others of its row (green) and of its column (black)"};
}

}  // namespace vtopo
