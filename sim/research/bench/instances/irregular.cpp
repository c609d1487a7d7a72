#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

namespace {

Instance irregular(std::string name, std::string description, std::string guest,
                   std::string network, Routing routing, int slots = 1) {
  return {.name = std::move(name),
          .description = std::move(description),
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = routing,
          .slots = slots};
}

}  // namespace

/// Kinds of traffic and machines that the other families leave out: graphs without a geometry, with
/// ranks of very different degrees, meshes of finite elements, four dimensions, sizes that are no
/// powers of two, hosts of several slots.
std::vector<Instance> irregular_guests() {
  const auto automatic = Routing::automatic, simgrid = Routing::simgrid;
  const std::string groups = "dragonfly:16,1;1,1;16,1;16", cube = "torus:16x16x16";
  return {irregular("regular-512", "random 6-regular graph", "regular:512:6:1", "torus:8x8x8",
                    automatic),
          irregular("rmat-4096-tree3", "R-MAT of degree 16", "rmat:4096:16:1",
                    "fat-tree:3;16,16,16;1,1,1;1,1,1", simgrid),
          irregular("power-1024", "power law by preferential attachment, degree 6",
                    "power:1024:6:1", "torus:16x8x8", automatic),
          irregular("delaunay-4096", "Delaunay triangulation of random points", "delaunay:4096:1",
                    cube, automatic),
          irregular("fem-4096", "tetrahedral mesh of a rough ball", "fem:4096:1", cube, automatic),
          irregular("fem-4096-dragonfly", "tetrahedral mesh of a rough ball", "fem:4096:1", groups,
                    simgrid),
          irregular("9pt4d-4096", "periodic 9-point stencil of four dimensions, ranks shuffled",
                    "shuffle:1:cart:8px8px8px8p", cube, automatic),
          irregular("rgg-945", "irregular mesh on a torus of odd sizes", "rgg:945:8:1",
                    "torus:15x9x7", automatic),
          irregular("7pt-1287", "7-point stencil on a torus of odd sizes, ranks shuffled",
                    "shuffle:1:cart:13x11x9", "torus:11x13x9", automatic),
          irregular("rgg-4096-slots", "irregular mesh, 8 ranks per host", "rgg:4096:8:1",
                    "torus:8x8x8", automatic, 8),
          irregular("fem-4096-slots", "tetrahedral mesh, 16 ranks per host", "fem:4096:1",
                    "fat-tree:2;16,16;1,4;1,1", simgrid, 16),
          irregular("power-1024-slots", "power law, 16 ranks per host", "power:1024:6:1",
                    "dragonfly:4,1;4,1;2,1;2", simgrid, 16)};
}

}  // namespace vtopo::detail::families
