#pragma once

#include <optional>
#include <vector>

#include "netmodels/platform/platform_routes.hpp"

namespace vtopo::detail {

/// One entry per link.
struct ConcludedLinks {
  std::vector<std::optional<LinkEnds>> ends;
  /// The ends, also of links that are used both ways; of a link inside a switch twice the switch.
  std::vector<std::optional<LinkEnds>> sides;
};

/// Which vertices the links of a platform join, concluded from its declared routes: the end of a
/// link is the begin of the next one in line, and vertices between links that no net point names
/// get numbers of their own. No ends for a link that is used both ways, that joins more than two
/// vertices (a bus), that begins where it ends (a backbone that is inside a switch), or whose ends
/// would be two hosts or routers at once. `cables` has one entry per link, equal for both halves of
/// a split-duplex pair, different otherwise. Internal to this room.
ConcludedLinks conclude_link_ends(const std::vector<Chain>& chains, int num_hosts,
                                  const std::vector<int>& cables);

}  // namespace vtopo::detail
