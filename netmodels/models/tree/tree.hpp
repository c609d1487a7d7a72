#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

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

/// Hierarchy. Every host and every subtree but the whole has a link to its parent and one back,
/// which carry the volumes that leave and enter it; each counts for half of what its level adds to
/// the distance. Cable c, links 2c up and 2c + 1 down: level by level, hosts first. Vertices:
/// hosts, then the roots of subtrees, level by level.
/// @throws UsageError if an arity is < 1, a distance is not in 1 to 1000000 or less than that of
/// the level below, a rate is out of range, links exceed 2^31-1, or the routing rule is not simgrid
/// or ecmp, which are the same.
std::shared_ptr<const Network> make_tree(const TreeSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
TreeSpec parse_tree(const SpecText& spec, const NetworkDefaults& defaults,
                    const RoutingOptions& routing);

}  // namespace vtopo::detail
