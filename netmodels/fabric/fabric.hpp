#pragma once

#include <memory>
#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// Cable between two vertices of a fabric, both ways apart.
struct FabricCable {
  int a = 0;                 ///< vertex at one end
  int b = 0;                 ///< vertex at the other end
  BytesPerSecond bandwidth;  ///< per direction
  Seconds latency;           ///< of each direction
};

/// Hosts and switches and what joins them, as found on a real machine. Vertices: hosts first, then
/// switches, each in the order given. Names are unique.
struct FabricSpec {
  std::string description;            ///< what `Network::description` returns
  std::vector<std::string> hosts;     ///< names, in the order of host ids
  std::vector<std::string> switches;  ///< names, in the order of vertices after the hosts
  std::vector<FabricCable> cables;    ///< in the order of link ids
  RoutingOptions routing = {};        ///< `simgrid` (fewest links) or `ecmp`
};

/// Network of switches with any wiring. Routes have the fewest links and pass through no host; each
/// switch forwards by destination alone. Among several shortest paths it takes destinations in the
/// order of hosts and gives each the link that got the fewest so far, as the MINHOP engine of
/// OpenSM does; a host with several cables spreads its destinations over them in turn. With the
/// rule `ecmp` a flow splits evenly at each vertex. Cable c is the links 2c (a to b) and 2c+1.
/// @throws UsageError for other rules than simgrid and ecmp, for cables of vertices that there are
/// not and for counts beyond 2^31-1;
/// InputError, when asked for a route, if there is none.
std::shared_ptr<const Network> make_fabric(FabricSpec spec);

}  // namespace vtopo
