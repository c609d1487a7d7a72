#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail {

namespace {

std::int64_t power_of_two(int exponent) {
  return std::int64_t{1} << exponent;
}

/// Sum for the hypercube of the factor alone.
std::int64_t least_sum(const HypercubeFactor& factor) {
  const int b = factor.bits;
  const std::int64_t subtracted = power_of_two(b - 1);
  return factor.cycle ? 3 * power_of_two(2 * b - 3) - subtracted
                      : power_of_two(2 * b - 1) - subtracted;
}

}  // namespace

std::int64_t hypercube_optimum(std::span<const HypercubeFactor> factors) {
  int bits = 0;
  for (const HypercubeFactor& factor : factors) bits += factor.bits;
  std::int64_t sum = 0;
  for (const HypercubeFactor& factor : factors)
    sum += power_of_two(bits - factor.bits) * least_sum(factor);
  return sum;
}

}  // namespace vtopo::detail

namespace vtopo::detail::families {

namespace {

constexpr const char* proof =
    "minimum of the hop sum of a hypercube on products of paths and cycles, arXiv 2108.08177, "
    "2201.04287, 2302.13237";

Instance hypercube(std::string name, int dimensions, std::string network,
                   const std::vector<HypercubeFactor>& factors, bool quick) {
  const double optimum = 2.0 * static_cast<double>(hypercube_optimum(factors));
  return {.name = std::move(name),
          .description = "ranks that differ in one bit exchange one byte",
          .guest = "hypercube:" + std::to_string(dimensions),
          .network = std::move(network),
          .quick = quick,
          .best = BestKnown{&hop_bytes_measure(), optimum, true, proof}};
}

}  // namespace

/// Recursive doubling, all-reduce and FFT: closed optimum, which Gray code reaches.
std::vector<Instance> hypercubes() {
  return {hypercube("q6-torus", 6, "torus:4x4x4", {{2, true}, {2, true}, {2, true}}, true),
          hypercube("q9-torus", 9, "torus:8x8x8", {{3, true}, {3, true}, {3, true}}, true),
          hypercube("q12-torus", 12, "torus:16x16x16", {{4, true}, {4, true}, {4, true}}, true),
          hypercube("q12-mesh", 12, "mesh:64x64", {{6, false}, {6, false}}, false),
          hypercube("q15-torus", 15, "torus:32x32x32", {{5, true}, {5, true}, {5, true}}, false)};
}

namespace {

constexpr const char* one_hop_each =
    "each edge takes one hop at least, and the identity's edges take one";

Instance stencil(std::string name, std::string description, std::string guest, std::string network,
                 bool quick, std::optional<BestKnown> best) {
  return {.name = std::move(name),
          .description = std::move(description),
          .guest = std::move(guest),
          .network = std::move(network),
          .quick = quick,
          .best = std::move(best)};
}

BestKnown proven(double value) {
  return {&hop_bytes_measure(), value, true, one_hop_each};
}

/// The identity puts faces at 1, edges at 2 and corners at 3 hops: for a box of n^3 ranks
/// 6 n^2 (n-1) * 100 + 12 n (n-1)^2 * 10 * 2 + 8 (n-1)^3 * 3.
BestKnown identity_of_box(double n) {
  const double m = n - 1;
  return {&hop_bytes_measure(), 600 * n * n * m + 240 * n * m * m + 24 * m * m * m, false,
          "the identity"};
}

BestKnown record(double value, std::string source) {
  return {&hop_bytes_measure(), value, false, std::move(source)};
}

Instance weighted(Instance instance) {
  instance.volumes = "100,10,1";
  return instance;
}

}  // namespace

/// Halo exchanges on grids. "Shuffled" ranks are numbered at random, so that mappers have to find
/// the grid in the traffic.
std::vector<Instance> stencils_on_tori() {
  return {
      stencil("7pt-512-ordered", "periodic 7-point stencil in rank order", "cart:8px8px8p",
              "torus:8x8x8", false, proven(3072)),
      stencil("7pt-512", "periodic 7-point stencil, ranks shuffled", "shuffle:1:cart:8px8px8p",
              "torus:8x8x8", true, proven(3072)),
      stencil("7pt-4096", "periodic 7-point stencil, ranks shuffled", "shuffle:1:cart:16px16px16p",
              "torus:16x16x16", true, proven(24576)),
      stencil("7pt-32768", "periodic 7-point stencil, ranks shuffled", "shuffle:1:cart:32px32px32p",
              "torus:32x32x32", false, proven(196608)),
      stencil("5pt-1024-ordered", "open 5-point stencil in rank order onto three dimensions",
              "cart:32x32", "torus:16x8x8", false, record(4032, "fold of vtopo 0.1")),
      stencil("5pt-4096-ordered", "periodic 5-point stencil in rank order onto three dimensions",
              "cart:64px64p", "torus:16x16x16", true, record(17920, "fold of vtopo 0.1")),
      stencil("5pt-4096", "periodic 5-point stencil, ranks shuffled, onto three dimensions",
              "shuffle:1:cart:64px64p", "torus:16x16x16", false,
              record(17920, "fold of vtopo 0.1, ranks in order")),
      stencil("5pt-512", "open 5-point stencil 32x16, ranks shuffled, onto three dimensions",
              "shuffle:1:cart:32x16", "torus:8x8x8", false,
              record(2016, "fold of vtopo 0.1, ranks in order")),
      stencil("9pt-4096-ordered", "open 9-point stencil in rank order onto three dimensions",
              "stencil:64x64:moore", "torus:16x16x16", false, std::nullopt),
      stencil("9pt-4096", "open 9-point stencil, ranks shuffled, onto three dimensions",
              "shuffle:1:stencil:64x64:moore", "torus:16x16x16", false, std::nullopt),
      weighted(stencil("27pt-512",
                       "open 27-point stencil, faces 100, edges 10, corners 1, shuffled",
                       "shuffle:1:stencil:8x8x8:moore", "torus:8x8x8", true, identity_of_box(8))),
      weighted(stencil(
          "27pt-4096", "open 27-point stencil, faces 100, edges 10, corners 1, shuffled",
          "shuffle:1:stencil:16x16x16:moore", "torus:16x16x16", false, identity_of_box(16))),
      weighted(stencil(
          "27pt-32768", "open 27-point stencil, faces 100, edges 10, corners 1, shuffled",
          "shuffle:1:stencil:32x32x32:moore", "torus:32x32x32", false, identity_of_box(32))),
  };
}

namespace {

Instance on_tree(std::string name, std::string machine, std::string network,
                 std::optional<BestKnown> best) {
  return {.name = std::move(name),
          .description = "open 7-point stencil, ranks shuffled, onto " + std::move(machine),
          .guest = "shuffle:1:cart:16x16x16",
          .network = std::move(network),
          .routing = Routing::simgrid,
          .best = std::move(best)};
}

}  // namespace

/// Hierarchies: what counts is who shares a switch. The two records are blocks of 4x4x4, and of
/// 8x8x4 in blocks of 4x2x2: 23040 edges, of which 4608 leave a block, or 2560 and 8704.
std::vector<Instance> stencils_on_trees() {
  std::vector<Instance> list{
      on_tree("7pt-4096-tree2", "64 leaf switches of 64 hosts", "fat-tree:2;64,64;1,1;1,1",
              BestKnown{&hop_bytes_measure(), 55296, true,
                        "blocks of 4x4x4 ranks, and no 64 ranks of a grid send less"}),
      on_tree("7pt-4096-tree3", "a tree of three levels of 16", "fat-tree:3;16,16,16;1,1,1;1,1,1",
              BestKnown{&hop_bytes_measure(), 68608, false,
                        "blocks of 8x8x4 ranks in blocks of 4x2x2"}),
      on_tree("7pt-4096-dragonfly", "16 groups of 16 routers of 16 hosts",
              "dragonfly:16,1;1,1;16,1;16",
              BestKnown{&hop_bytes_measure(), 58928, false, "multilevel of vtopo 0.1"})};
  list.front().quick = true;
  list.back().quick = true;
  return list;
}

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

namespace {

constexpr const char* strips = "stencil strips, best of all heights (Hunold et al., CLUSTER 2020)";
constexpr const char* kdtree = "k-d tree (Hunold et al., CLUSTER 2020)";

Instance slots_48(std::string name, std::string guest, std::string network, bool quick,
                  BestKnown best) {
  return {.name = std::move(name),
          .description = "grid onto hosts of 48 slots: edges that leave a host",
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = Routing::simgrid,
          .slots = 48,
          .measure = find_measure("jsum"),
          .quick = quick,
          .best = std::move(best)};
}

}  // namespace

/// The grids of S. Hunold et al., "Efficient Process-to-Node Mapping Algorithms for Stencil
/// Computations" (CLUSTER 2020). Proof for 50x48 in one dimension: a column has 50 ranks, so each
/// of the 48 columns leaves a host at least once, which cuts two directed edges.
std::vector<Instance> hosts_with_slots() {
  const std::string hosts_50 = "fat-tree:1;50;1;1", hosts_100 = "fat-tree:1;100;1;1";
  return {slots_48("slots-50x48", "stencil:50x48:neumann", hosts_50, true,
                   {find_measure("jsum"), 1224, false, strips}),
          slots_48("slots-75x64", "stencil:75x64:neumann", hosts_100, false,
                   {find_measure("jsum"), 2580, false, strips}),
          slots_48("slots-50x48-component", "stencil:50x48:component", hosts_50, false,
                   {find_measure("jsum"), 96, true, "each column is longer than a host has slots"}),
          slots_48("slots-75x64-component", "stencil:75x64:component", hosts_100, false,
                   {find_measure("jsum"), 192, false, kdtree})};
}

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
