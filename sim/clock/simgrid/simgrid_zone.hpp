#pragma once

#include <span>
#include <vector>

#include "netmodels/network.hpp"

namespace simgrid::s4u {
class Host;
class Link;
}  // namespace simgrid::s4u

namespace vtopo::detail {

/// What latency the links get inside SimGrid.
enum class ZoneLatency { zero, as_modelled };

/// Hosts and links of a network as SimGrid knows them, in the order in which they were asked for.
struct HostedNetwork {
  std::vector<simgrid::s4u::Host*> hosts;
  std::vector<simgrid::s4u::Link*> links;
};

/// Creates the root zone of the running SimGrid engine with the given hosts and links of `network`
/// and lets SimGrid ask the network for every route: what is evaluated is what is simulated. Routes
/// between the hosts must use no other links. The network must outlive the engine.
/// @param bandwidth_factor what every bandwidth is multiplied by.
/// @param direct what each message over a route without links takes, and from a host to itself; by
/// default so wide that any volume passes in no time.
/// Internal: SimGrid types appear only in the folders that host it.
HostedNetwork host_on_simgrid(const Network& network, std::span<const HostId> hosts,
                              std::span<const LinkId> links, ZoneLatency latency,
                              double bandwidth_factor = 1, LinkProperties direct = {{1e30}, {0}});

}  // namespace vtopo::detail
