#pragma once

#include <memory>

#include "netmodels/models/tree/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

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
