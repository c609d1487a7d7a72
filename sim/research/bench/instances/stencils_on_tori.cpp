#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

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

}  // namespace vtopo::detail::families
