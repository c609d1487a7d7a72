#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// One level of a hierarchy, from the hosts up.
struct TreeLevel {
  int arity = 1;         ///< subtrees (or hosts) of the level below in each subtree
  int distance = 1;      ///< between hosts whose smallest common subtree is of this level
  LinkRates rates = {};  ///< of the links between a subtree of the level below and this one
};

/// Hierarchy as mapping programs describe machines: KaHIP, SharedMap and VieM (C. Schulz and J. L.
/// Traeff, "Better Process Mapping and Sparse Quadratic Assignment", SEA 2017). Hops are the given
/// distances, so that hop-bytes are their objective J, the sum over ordered pairs of ranks of
/// volume times distance. The host is h = digit 0 + arity 0 * (digit 1 + ...).
struct TreeSpec {
  std::vector<TreeLevel> levels;
  NetworkDefaults defaults;
  RoutingOptions routing = {};
};

}  // namespace vtopo::detail
