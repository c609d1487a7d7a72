#pragma once

#include <cstdint>
#include <span>

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

}  // namespace vtopo::detail
