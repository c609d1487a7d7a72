#include "netmodels/platform/simgrid_zone.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include "topology/base/error.hpp"

namespace vtopo {

namespace {

namespace routing = simgrid::kernel::routing;

/// A zone whose routes are those of a Network. Hosts have the netpoint ids 0, 1, ... of their place
/// in the list given.
class ModelledZone final : public routing::NetZoneImpl {
 public:
  ModelledZone(const Network& network, std::span<const HostId> hosts)
      : NetZoneImpl("vtopo"),
        network_(network),
        hosts_(hosts.begin(), hosts.end()),
        links_(static_cast<std::size_t>(network.num_links()), nullptr) {}

  void set_link(LinkId id, simgrid::s4u::Link* link) { links_[index(id)] = link; }

  void get_local_route(const routing::NetPoint* source, const routing::NetPoint* destination,
                       routing::Route* into, double* latency) override {
    route_.clear();
    network_.append_route(hosts_.at(source->id()), hosts_.at(destination->id()), route_);
    for (const LinkId id : route_) {
      const simgrid::s4u::Link* link = links_[index(id)];
      if (link == nullptr)
        throw SimulationError("a route uses the link " + network_.link_name(id) +
                              ", which was not created in SimGrid");
      into->link_list_.push_back(link->get_impl());
      if (latency != nullptr) *latency += link->get_latency();
    }
  }

 private:
  const Network& network_;
  std::vector<HostId> hosts_;
  std::vector<simgrid::s4u::Link*> links_;
  std::vector<LinkId> route_;
};

simgrid::s4u::Link* create_link(simgrid::s4u::NetZone& zone, const Network& network, LinkId id,
                  ZoneLatency latency) {
  const LinkProperties properties = network.link(id);
  simgrid::s4u::Link* link = zone.create_link(network.link_name(id), properties.bandwidth.value);
  link->set_latency(latency == ZoneLatency::zero ? 0.0 : properties.latency.value);
  if (properties.sharing == LinkSharing::fatpipe)
    link->set_sharing_policy(simgrid::s4u::Link::SharingPolicy::FATPIPE);
  return link->seal();
}

}  // namespace

HostedNetwork host_on_simgrid(const Network& network, std::span<const HostId> hosts,
                              std::span<const LinkId> links, ZoneLatency latency) {
  auto* zone = new ModelledZone(network, hosts);  // owned by the engine
  simgrid::s4u::NetZone& face = *zone->get_iface();
  HostedNetwork hosted;
  for (const HostId host : hosts) {
    constexpr double speed = 1e9;  // flops, never used: ranks only communicate
    hosted.hosts.push_back(face.create_host(network.host_name(host), speed));
    hosted.hosts.back()->seal();
  }
  for (const LinkId id : links) {
    hosted.links.push_back(create_link(face, network, id, latency));
    zone->set_link(id, hosted.links.back());
  }
  face.seal();
  return hosted;
}

}  // namespace vtopo
