#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Whether `kind` is a part that some network has (`Network::parts`).
bool is_host_part(std::string_view kind);

/// Every kind of part, for `--hosts`.
std::vector<std::string> host_part_kinds();

/// Hosts that are up in parts of the machine, in the order of the list: `group:0,2`, `leaf:0-3,7`,
/// `plane:D=0-3` (coordinate in dimension D, counted from 0).
/// @throws UsageError for a network without such parts, a number that is none of them, a part
/// named twice and parts in which no host works.
std::vector<HostId> hosts_of_parts(const Network& network, std::string_view spec);

}  // namespace vtopo::detail
