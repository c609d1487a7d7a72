#pragma once

#include <memory>

#include "netmodels/models/dragonfly_plus/spec.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

/// Dragonfly+. Link l of the `links` from a cell to another one starts at spine (p * links + l)
/// modulo spines, where p counts the other cells in their order; it ends where the link l back
/// starts. Under `Routing::simgrid` every hop follows from the destination alone, as tables of
/// switches do: inside a cell by spine (destination host modulo spines), to another cell by link
/// (destination host modulo links). `ecmp` splits evenly at each switch over the links of shortest
/// routes; `valiant` as `append_dragonfly_plus_valiant` says. Links: those of hosts, 2h up and
/// 2h + 1 down, then of leaves, then of cells. Vertices: hosts, then cell by cell spines and
/// leaves.
/// @throws UsageError if a number is < 1, `hosts` does not fit the other numbers, a rate is out of
/// range, hosts, switches or links exceed 2^31-1, or the routing rule is one of rings.
std::shared_ptr<const Network> make_dragonfly_plus(const DragonflyPlusSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
DragonflyPlusSpec parse_dragonfly_plus(const SpecText& spec, const NetworkDefaults& defaults,
                                       const RoutingOptions& routing);

}  // namespace vtopo::detail
