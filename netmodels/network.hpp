#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/network_answers.hpp"
#include "netmodels/network_defaults.hpp"
#include "netmodels/network_layout.hpp"
#include "netmodels/routing.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// How flows share a link: `shared` splits its bandwidth, `fatpipe` gives it whole to each flow.
enum class LinkSharing { shared, fatpipe };

/// What a directed link can carry.
struct LinkProperties {
  BytesPerSecond bandwidth;                   ///< per direction
  Seconds latency;                            ///< time that each message takes to pass it
  LinkSharing sharing = LinkSharing::shared;  ///< among the flows that use it
  /// Hops of a route are the sum over its links: 0 for limiter and loopback links; where hops are
  /// distances that a user gave, their share of them.
  double hops = 1;
};

/// Vertices that a link leads from and to: hosts are 0..num_hosts-1, routers and switches follow.
struct LinkEnds {
  int from = 0;  ///< vertex that traffic comes from
  int to = 0;    ///< vertex that traffic goes to
};

/// Part of a flow that takes a link: 0 < share <= 1.
struct LinkShare {
  LinkId link{};     ///< the link that is used
  double share = 1;  ///< of the volume of the flow
};

/// Part of a flow that takes `count` links, whose ids are `step` apart, in the order of travel.
struct LinkRun {
  LinkId first{};    ///< where the flow enters
  int step = 0;      ///< from each id to the next one
  int count = 1;     ///< number of links, >= 1
  double share = 1;  ///< of the volume of the flow
};

/// Links of one kind: a dimension of a torus, a level of a fat tree, a colour of a dragonfly.
struct LinkClass {
  std::string name;          ///< human-readable
  std::int64_t links = 0;    ///< number of directed links
  BytesPerSecond bandwidth;  ///< of each link
  Seconds latency;           ///< of each link
};

/// Traffic of many flows, one entry per link of the network. `flows` counts those that put any
/// share of theirs on the link; with Valiant each of the two legs of a flow counts by itself.
struct LinkTotals {
  std::vector<double> traffic;      ///< bytes
  std::vector<std::int32_t> flows;  ///< number of them
};

/// Where launchers find a host.
struct HostPlace {
  std::string node;         ///< name of the machine
  std::optional<int> core;  ///< place inside it, if it has several, each a host by itself
};

/// A flow as seen from its source.
struct OutFlow {
  HostId destination{};  ///< host that receives
  Bytes volume;          ///< bytes that it receives
};

/// What one host sends to another.
struct HostFlow {
  HostId source{};       ///< host that sends
  HostId destination{};  ///< host that receives, another one
  Bytes volume;          ///< bytes, >= 0
};

/// Sums what flows put on links. One thread at a time; the network must outlive it.
class LinkTraffic {
 public:
  LinkTraffic() = default;
  LinkTraffic(const LinkTraffic&) = delete;
  LinkTraffic& operator=(const LinkTraffic&) = delete;
  virtual ~LinkTraffic() = default;

  /// A flow of `volume` > 0 between two different hosts. Allocates nothing.
  virtual void add(HostId source, HostId destination, Bytes volume) = 0;

  /// The same of several flows from one host; where a network is fast at that, faster.
  virtual void add_from(HostId source, std::span<const OutFlow> flows) {
    for (const OutFlow& flow : flows) add(source, flow.destination, flow.volume);
  }

  /// What has been added; to be called once, at the end.
  virtual LinkTotals totals() = 0;
};

/// The host graph: hosts, directed links and one route per ordered pair of hosts. Immutable to its
/// readers and safe to read from several threads.
class Network {
 public:
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  /// Hosts are 0..num_hosts()-1.
  virtual int num_hosts() const = 0;

  /// Directed links are 0..num_links()-1; a cable that carries both ways apart is two of them.
  virtual int num_links() const = 0;

  /// Bandwidth, latency and sharing of one link.
  virtual LinkProperties link(LinkId link) const = 0;

  /// Name for messages and for options, made on demand; unique within the network.
  virtual std::string link_name(LinkId link) const = 0;
  /// Name of a host for messages and for options; unique within the network.
  virtual std::string host_name(HostId host) const {
    return "host-" + std::to_string(number(host));
  }

  /// The machine that a host is, or is a part of: hosts of one machine are numbered one after the
  /// other.
  virtual HostPlace host_place(HostId host) const { return {host_name(host), std::nullopt}; }

  /// Vertices at both ends, or nothing where the network only knows routes (platform files).
  virtual std::optional<LinkEnds> link_ends(LinkId link) const = 0;

  /// Vertices that a link lies between, also of one that carries traffic both ways and so has no
  /// ends; a cut between them holds the link.
  virtual std::optional<LinkEnds> link_sides(LinkId link) const { return link_ends(link); }

  /// Whether routes lead through hosts although no link joins two of them: hosts are routers too.
  virtual bool routes_pass_hosts() const { return false; }

  /// Appends the links from `source` to `destination` in the order of travel; nothing for a host to
  /// itself.
  virtual void append_route(HostId source, HostId destination,
                            std::vector<LinkId>& links) const = 0;

  /// The rule that made the routes.
  virtual Routing routing() const { return Routing::simgrid; }

  /// Whether a flow may split over several routes: then `append_shares` says what happens, and
  /// `append_route` gives one of its routes.
  virtual bool splits_flows() const { return false; }

  /// Appends every link that a flow uses, each once, with the share of the flow that takes it; in
  /// the order of travel where there is one route.
  virtual void append_shares(HostId source, HostId destination,
                             std::vector<LinkShare>& shares) const;

  /// What `append_shares` appends, as runs of links.
  virtual void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const;

  /// Whether `append_runs` is as fast as reading routes that have been stored.
  virtual bool computes_runs() const { return false; }

  /// The network as this traffic meets it, where routes follow from the loads of all flows
  /// (`--routing adaptive`, `ideal`): same hosts, links and hops, other shares. Null where routes
  /// depend on their hosts alone. Without traffic, flows split over the shortest routes.
  virtual std::shared_ptr<const Network> routed(std::span<const HostFlow>) const { return nullptr; }

  /// Sums the traffic of many flows; the fastest way that the network has.
  virtual std::unique_ptr<LinkTraffic> make_link_traffic() const;

  /// Sum of the hops of the links on the shortest of the routes that a flow may take: the distance
  /// that mappers see. O(levels or dimensions) on modelled networks.
  virtual int hops(HostId source, HostId destination) const = 0;

  /// `hops` from one host to several: one entry each.
  virtual void hops_from(HostId source, std::span<const HostId> destinations,
                         std::span<int> result) const {
    for (std::size_t i = 0; i < destinations.size(); ++i) result[i] = hops(source, destinations[i]);
  }

  /// Hops per byte of a flow, averaged over the routes that it splits over; `hops` where every
  /// route is a shortest one.
  virtual double mean_hops(HostId source, HostId destination) const {
    return hops(source, destination);
  }

  /// Latency of a flow that belongs to no link, on top of those of its route: the distance of the
  /// coordinates in SimGrid's Vivaldi zones. A route without links is a route if it has any.
  virtual Seconds flow_latency(HostId, HostId) const { return {}; }

  /// Most hops between any two hosts.
  virtual int diameter() const = 0;

  /// Sum of the bandwidths of all links by which traffic can leave `host`.
  virtual BytesPerSecond injection_bandwidth(HostId host) const = 0;

  /// False for a host that is down: it takes no ranks and may have no routes.
  virtual bool is_up(HostId) const { return true; }

  /// False for a link that is down: no route uses it, though `link` says what it is when it works.
  virtual bool link_is_up(LinkId) const { return true; }

  /// Where hosts stand, if their routers form a grid. Positions only: with failed links routes may
  /// be longer than the coordinates say.
  virtual std::optional<HostCoordinates> coordinates() const { return std::nullopt; }

  /// Nested groups of hosts, smallest first, the last is the whole network; none where the hosts
  /// form a grid or nothing is known. With failed links routes may be longer than the groups say.
  virtual std::vector<HostGroups> hierarchy() const { return {}; }

  /// The rule behind `hops`, if there is one: it holds for all hosts that are up.
  virtual HopMetric hop_metric() const { return {}; }

  /// What `description()` leaves out, if it is a specification that makes the network again; else
  /// null. Lives as long as the network.
  virtual const NetworkDefaults* description_defaults() const { return nullptr; }
  /// Named parts of the machine, such as leaf switches or groups; none where it has no names for
  /// any.
  virtual std::vector<HostParts> parts() const { return {}; }

  /// Cuts that few links cross, as cells between which they lie, for lower bounds of hops and
  /// loads. None where nothing is known beyond what every host can send, or where routes are not
  /// walks along the links. What a cut can carry are its links that are up.
  virtual std::vector<VertexCells> cuts() const { return {}; }

  /// Hosts at one place and the symmetry of the distances between such places, if `hops` has them.
  virtual std::optional<HostSites> sites() const { return std::nullopt; }

  /// Entry h: hosts at h hops from a host that has the most of them near, itself included: no host
  /// has more than the sum of the first entries within as many hops, whichever links are down. May
  /// end where it has more than `count` hosts; empty where nothing is known.
  virtual std::vector<std::int64_t> distance_profile(std::int64_t count) const;

  /// Bisection by a formula that is known to be right for this network.
  virtual std::optional<Bisection> bisection() const { return std::nullopt; }

  /// Where a picture shows hosts and routers; nothing: as a general graph.
  virtual std::optional<NetworkLayout> layout() const { return std::nullopt; }

  /// Name of a host, router or switch, human-readable: `vertex` as in `LinkEnds`.
  virtual std::string vertex_name(int vertex) const {
    return vertex < num_hosts() ? host_name(HostId{vertex})
                                : "s" + std::to_string(vertex - num_hosts());
  }

  /// Kinds of links, in the order of link ids; link `l` is of kind `link_class(l)`.
  virtual std::vector<LinkClass> link_classes() const;
  /// Position in `link_classes` of the kind of a link.
  virtual int link_class(LinkId) const { return 0; }

  /// The same network without some links, ids unchanged, if its model finds other routes by itself;
  /// null if it does not: then a search in its links may.
  virtual std::shared_ptr<const Network> without_links(std::span<const LinkId>) const {
    return nullptr;
  }

  /// The cluster of SimGrid that this network is, or nearly is; nothing if there is none.
  virtual std::optional<SimgridCluster> simgrid_cluster() const { return std::nullopt; }

  /// One line that names the network: the canonical specification or the platform file.
  virtual std::string description() const = 0;
};

}  // namespace vtopo
