#pragma once

#include <memory>

#include "netmodels/models/dragonfly/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

/// Dragonfly of groups of chassis of blades. Global cables lie as DragonflyArrangement says.
///
/// Routes, by `spec.routing.rule`:
/// - simgrid: minimal as Kim et al. (ISCA 2008) define it, at most one global link: green then
///   black to the gateway, blue, green then black to the destination's blade. Of several cables
///   between two groups it takes the one with the fewest local links; of k equally good ones,
///   number (destination host modulo k). These are SimGrid's routes where SimGrid's are sound.
/// - ecmp: at each router an even split over all next links of the shortest minimal routes.
/// - valiant: by way of a third group (see DragonflyValiant); `hops` stays that of the minimal
///   route.
/// Minimal is not always shortest: where the gateways of two groups to a third are neighbours, the
/// way over it, with two global links, can have fewer links (2 between routers, not 3 to 5). No
/// rule here takes it.
///
/// `spec.routing.simgrid_compatible` gives each pair the list of links that SimGrid 3.32 gives it,
/// also inside a group where it forgets the chassis that a flow started from and the list is no
/// walk; `hops` counts the links of the list.
/// @throws UsageError if a number is < 1, hosts or links exceed 2^31-1, a bandwidth or latency is
/// no possible one, the rule is one of tori, or SimGrid's list of links is asked for and SimGrid
/// has none.
std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
DragonflySpec parse_dragonfly(const SpecText& spec, const NetworkDefaults& defaults,
                              const RoutingOptions& routing);

}  // namespace vtopo::detail
