#pragma once

#include <memory>
#include <optional>
#include <span>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Largest congestion of a link under the best routing, from both sides.
struct IdealCongestion {
  Seconds found;  ///< a routing has it
  Seconds bound;  ///< no routing over the paths allowed has less
};

/// `--routing ideal`: for the whole traffic, the fractional routing with the least largest
/// congestion over shortest paths and pairs of shortest paths by way of one intermediate
/// (`min_congestion`), shortest in links. Only the library vtopo::ideal knows it.
struct IdealRouting {
  /// @param shortest under routing ecmp.
  /// @throws UsageError if nothing is known of where its links lead.
  std::shared_ptr<const Network> (*route)(std::shared_ptr<const Network> shortest) = nullptr;
  /// What the best routing of this traffic could do, whatever the routing of the network.
  /// @returns nothing where it is not known where links lead.
  /// @throws InputError if two hosts of a flow are not joined.
  std::optional<IdealCongestion> (*congestion)(const Network& network,
                                               std::span<const HostFlow> traffic) = nullptr;
  /// The same of a network that `route` has `routed`; nothing of others.
  std::optional<IdealCongestion> (*congestion_of)(const Network& routed) = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const IdealRouting vtopo_ideal_routing;

/// @throws UsageError in a program without that library.
const IdealRouting& ideal_routing();

}  // namespace vtopo::detail
