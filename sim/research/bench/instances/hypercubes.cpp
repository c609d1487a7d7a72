#include "sim/research/bench/hypercube_optimum.hpp"
#include "sim/research/bench/instances/families.hpp"

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

}  // namespace vtopo::detail::families
