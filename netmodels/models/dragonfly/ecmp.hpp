#pragma once

#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"

namespace vtopo::detail {

/// Shares of a flow that splits evenly, at each router, over all next links of shortest routes, as
/// equal-cost multipath does: over several cables between two groups, and over green-black and
/// black-green. Shortest among the minimal routes of a dragonfly, which have one global link
/// between groups and none inside a group; in the order of links unless the whole flow takes one
/// route. O(cables^2).
void append_ecmp_shares(const DragonflyLayout& layout, HostId source, HostId destination,
                        std::vector<LinkShare>& shares);

}  // namespace vtopo::detail
