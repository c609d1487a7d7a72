#pragma once

#include <string>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// What plain SimGrid sees of a network that only vtopo builds: its hosts, and as much of the
/// network as one zone holds.
struct SimgridView {
  std::string routing;   ///< of the zone around the elements
  std::string elements;  ///< clusters, and links and routes between them
  std::string sentence;  ///< human-readable: what SimGrid sees
};

/// As many hosts with the same names, in the same order. A network that is nearly a cluster of
/// SimGrid is that cluster; others are groups of hosts, each behind one switch, with the bandwidth
/// that two groups, or a group and the rest, have between them; or one switch.
SimgridView simgrid_view(const Network& network);

}  // namespace vtopo::detail
