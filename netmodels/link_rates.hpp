#pragma once

#include <span>
#include <string>
#include <string_view>

#include "netmodels/network.hpp"
#include "netmodels/network_defaults.hpp"

namespace vtopo::detail {

/// What a link of this class can carry: the rates given, the defaults for the others.
/// @throws UsageError unless the bandwidth is 0.001 to 1e18 and the latency 0 to 1e9.
LinkProperties link_properties(const LinkRates& rates, const NetworkDefaults& defaults);

/// Keys of a specification, `,bandwidth=10GBps/5GBps,latency=100ns`, that give these classes of
/// links their rates: one value if it is the same for all, otherwise one per class. A key is left
/// out where no class has a rate of its own. `prefix` goes in front of the names of both keys.
std::string rate_keys(std::span<const LinkRates> classes, const NetworkDefaults& defaults,
                      std::string_view prefix = "");

/// `9.4GBps`: few digits, and parse_bandwidth returns exactly this bandwidth.
std::string exact_text(BytesPerSecond bandwidth);
/// `90ns`: few digits, and parse_seconds returns exactly this time.
std::string exact_text(Seconds time);

}  // namespace vtopo::detail
