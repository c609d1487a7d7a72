#pragma once

#include <memory>

#include "netmodels/models/fat_tree/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

/// Fat tree with SimGrid's routes (rule `simgrid`): up by D-mod-k (port = destination / product of
/// the parents below, modulo parents * cables), down the only way there is. Between parallel cables
/// the way down takes the one that SimGrid 3.32 takes, or that of D-mod-k (`spec.down`). With rule
/// `ecmp` a flow splits evenly over all parents and cables up to the lowest common switches, and
/// over the parallel cables down.
/// @throws UsageError if a number is < 1, hosts or links exceed 2^31-1, a rate is out of range, or
/// the routing rule is one of tori.
std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
FatTreeSpec parse_fat_tree(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing);

}  // namespace vtopo::detail
