#pragma once

#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// `--routing adaptive`: UGAL (A. Singh, "Load-Balanced Routing in Interconnection Networks", PhD
/// thesis, Stanford 2005) that knows the loads of all links, as a fixed point: each pair of hosts
/// sends a part over its shortest routes, the rest as Valiant does, so that no pair has a cheaper
/// choice (`balance_loads`).
/// @param shortest under routing ecmp; @param valiant the same network under routing valiant.
std::shared_ptr<const Network> make_adaptive(std::shared_ptr<const Network> shortest,
                                             std::shared_ptr<const Network> valiant);

/// The same among the shortest routes alone (`balance_paths`): the way up in a fat tree, links of a
/// platform file. Where loads are even by themselves, this is routing ecmp.
/// @param shortest under routing ecmp.
/// @throws UsageError if nothing is known of where its links lead.
std::shared_ptr<const Network> make_adaptive(std::shared_ptr<const Network> shortest);

}  // namespace vtopo::detail
