#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

namespace {

Instance random(std::string name, std::string guest, std::string network, bool quick,
                Routing routing = Routing::automatic, std::optional<BestKnown> best = {}) {
  return {.name = std::move(name),
          .description = "irregular mesh: random geometric graph, degree 8, volumes 1 to 10",
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = routing,
          .quick = quick,
          .best = std::move(best)};
}

BestKnown record(double value) {
  return {&hop_bytes_measure(), value, false, "portfolio of vtopo 0.1, 60 s"};
}

}  // namespace

/// Irregular applications: nothing to find by looking at coordinates.
std::vector<Instance> random_geometric() {
  return {
      random("rgg-512", "rgg:512:8:1", "torus:8x8x8", true, Routing::automatic, record(38384)),
      random("rgg-4096", "rgg:4096:8:1", "torus:16x16x16", true, Routing::automatic,
             record(292320)),
      random("rgg-32768", "rgg:32768:8:1", "torus:32x32x32", false),
      random("rgg-4096-tree2", "rgg:4096:8:1", "fat-tree:2;64,64;1,1;1,1", false, Routing::simgrid),
      random("rgg-4096-dragonfly", "rgg:4096:8:1", "dragonfly:16,1;1,1;16,1;16", false,
             Routing::simgrid)};
}

}  // namespace vtopo::detail::families
