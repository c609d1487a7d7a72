#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/research/bench/instance.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// One factor of a product network: a path or a cycle of 2^bits hosts.
struct HypercubeFactor {
  int bits = 1;        ///< >= 1, of cycles >= 2
  bool cycle = false;  ///< false: a path
};

/// Least sum of distances over the undirected edges of the hypercube with as many vertices as the
/// product of the factors has hosts, over all embeddings: sum over factors of 2^(n-n_i) W_i with
/// W = 2^(2b-1) - 2^(b-1) for a path and 3 * 2^(2b-3) - 2^(b-1) for a cycle of 2^b hosts
/// (arXiv 2108.08177, 2201.04287, 2302.13237). Gray code attains it.
std::int64_t hypercube_optimum(std::span<const HypercubeFactor> factors);

/// How specifications of `finite_elements_guest` begin.
inline constexpr std::string_view finite_elements_prefix = "fem-halo:";

/// Halo of a finite-element program, as those of C. Walshaw's graph partitioning archive are: a
/// mesh of 64 points per rank, of triangles (`fem-halo:2:RANKS:SEED`) or tetrahedra
/// (`fem-halo:3:RANKS:SEED`), finer near a wall and around a body, cut into one part per rank by
/// recursive coordinate bisection. Ranks are numbered as the bisection goes; 8 bytes cross each
/// edge of the mesh between two parts, both ways. The same on every machine.
/// @throws UsageError for any other specification.
CommGraph finite_elements_guest(std::string_view spec);

}  // namespace vtopo::detail

namespace vtopo::detail::families {

/// Each lists the instances of one family.
std::vector<Instance> finite_elements();
std::vector<Instance> hosts_with_slots();
std::vector<Instance> hypercubes();
std::vector<Instance> irregular_guests();
std::vector<Instance> partitions();
std::vector<Instance> random_geometric();
std::vector<Instance> stencils_on_tori();
std::vector<Instance> stencils_on_trees();

}  // namespace vtopo::detail::families
