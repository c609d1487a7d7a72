#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

namespace {

constexpr const char* cores = "tree:4:8:8@1:10:100";  ///< 256 hosts

/// 16,384 ranks, 64 for each host, which takes up to `slots`.
Instance partition(std::string name, std::string description, std::string guest, int slots) {
  return {.name = std::move(name),
          .description = std::move(description),
          .guest = std::move(guest),
          .network = cores,
          .routing = Routing::simgrid,
          .slots = slots};
}

}  // namespace

/// Process mapping as KaHIP and SharedMap have it: many ranks per host, hierarchies with distances,
/// an imbalance of 3 % (floor(1.03 * 64) = 65 ranks per host) or perfect balance.
std::vector<Instance> partitions() {
  constexpr int loose = 65, even = 64;
  return {
      partition("delaunay-16384-3%", "Delaunay triangulation, imbalance 3 %", "delaunay:16384:1",
                loose),
      partition("delaunay-16384-0%", "Delaunay triangulation, perfect balance", "delaunay:16384:1",
                even),
      partition("rgg-16384-3%", "random geometric graph, imbalance 3 %", "rgg:16384:8:1", loose),
      partition("rgg-16384-0%", "random geometric graph, perfect balance", "rgg:16384:8:1", even),
      partition("fem-16384-3%", "tetrahedral mesh, imbalance 3 %", "fem:16384:1", loose),
      partition("fem-16384-0%", "tetrahedral mesh, perfect balance", "fem:16384:1", even)};
}

}  // namespace vtopo::detail::families
