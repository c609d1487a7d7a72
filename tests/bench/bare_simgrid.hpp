#pragma once

#include <functional>
#include <string>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// `<cluster topology="..." topo_parameters="...">` of SimGrid, split-duplex links without latency.
struct BareCluster {
  std::string topology;    ///< TORUS, FAT_TREE, DRAGONFLY
  std::string parameters;  ///< such as `8,8,8`
  int num_hosts = 0;       ///< numbered by SimGrid as vtopo does
};

/// Bytes from host to host.
struct BareFlow {
  HostId source{};
  HostId destination{};
  Bytes volume;  ///< a whole number
};

/// The program that one would write without vtopo: SimGrid's own zones and routes, an actor per
/// host, all flows at once, under CM02 as vtopo sets it. Runs in a child process, platform
/// included.
/// @param bandwidth of every link.
/// @return finish time of every flow in seconds, in their order.
/// @throws SimulationError if the child fails.
std::vector<double> simulate_on_bare_simgrid(const BareCluster& cluster, BytesPerSecond bandwidth,
                                             const std::vector<BareFlow>& flows);

/// Nanoseconds of processor time per route, the best of several runs.
struct RouteToTimes {
  double alone;  ///< of `Host::route_to` and no more
  double sums;   ///< of the volumes on each link by `Host::route_to`
  double hops;   ///< links of a route on average
};

/// @throws SimulationError if the child fails.
RouteToTimes time_route_to(const BareCluster& cluster, const std::vector<BareFlow>& flows,
                           int runs);

/// Seconds of processor time of this thread.
double thread_seconds();

/// Least of `thread_seconds` of several runs.
double best_seconds(int runs, const std::function<void()>& run);

}  // namespace vtopo
