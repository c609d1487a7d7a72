#include "sim/clock/simgrid/simgrid_zone.hpp"

#include <simgrid/kernel/routing/NetPoint.hpp>

#include "netmodels/simgrid/simgrid_versions.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

namespace routing = simgrid::kernel::routing;

/// A zone whose routes are those of a Network. Hosts have the netpoint ids 0, 1, ... of their place
/// in the list given.
class ModelledZone final : public routing::NetZoneImpl {
 public:
  ModelledZone(const Network& network, std::span<const HostId> hosts, ZoneLatency latency)
      : NetZoneImpl("vtopo"),
        network_(network),
        hosts_(hosts.begin(), hosts.end()),
        links_(static_cast<std::size_t>(network.num_links()), nullptr),
        adds_latency_(latency == ZoneLatency::as_modelled) {}

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
    if (route_.empty()) into->link_list_.push_back(direct_->get_impl());
    if (latency != nullptr && route_.empty()) *latency += direct_->get_latency();
    if (latency != nullptr && adds_latency_ && source != destination)
      *latency +=
          network_.flow_latency(hosts_.at(source->id()), hosts_.at(destination->id())).value;
  }

  /// The link of routes without links, which SimGrid refuses if they have no latency either.
  void set_direct(simgrid::s4u::Link* link) { direct_ = link; }

 private:
  const Network& network_;
  std::vector<HostId> hosts_;
  std::vector<simgrid::s4u::Link*> links_;
  std::vector<LinkId> route_;
  simgrid::s4u::Link* direct_ = nullptr;
  bool adds_latency_;
};

simgrid::s4u::Link* create_link(simgrid::s4u::NetZone& zone, const Network& network, LinkId id,
                                ZoneLatency latency, double bandwidth_factor) {
  const LinkProperties properties = network.link(id);
  simgrid::s4u::Link* link = simgrid_versions::add_link(
      zone, network.link_name(id), properties.bandwidth.value * bandwidth_factor);
  link->set_latency(latency == ZoneLatency::zero ? 0.0 : properties.latency.value);
  if (properties.sharing == LinkSharing::fatpipe)
    link->set_sharing_policy(simgrid::s4u::Link::SharingPolicy::FATPIPE);
  return link->seal();
}

}  // namespace

HostedNetwork host_on_simgrid(const Network& network, std::span<const HostId> hosts,
                              std::span<const LinkId> links, ZoneLatency latency,
                              double bandwidth_factor, LinkProperties direct) {
  auto* zone = new ModelledZone(network, hosts, latency);  // owned by the engine
  simgrid_versions::give_parent(*zone);
  simgrid::s4u::NetZone& face = *zone->get_iface();
  HostedNetwork hosted;
  // At 1 Gflop/s, which counts where SMPI charges computations.
  for (const HostId host : hosts)
    hosted.hosts.push_back(simgrid_versions::add_host(face, network.host_name(host), 1e9)->seal());
  for (const LinkId id : links) {
    hosted.links.push_back(create_link(face, network, id, latency, bandwidth_factor));
    zone->set_link(id, hosted.links.back());
  }
  auto* link =
      simgrid_versions::add_link(face, "vtopo, routes without links", direct.bandwidth.value);
  zone->set_direct(link->set_latency(direct.latency.value)
                       ->set_sharing_policy(simgrid::s4u::Link::SharingPolicy::FATPIPE)
                       ->seal());
  face.seal();
  return hosted;
}

}  // namespace vtopo::detail
