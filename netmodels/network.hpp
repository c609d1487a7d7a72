#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "netmodels/network_facts.hpp"
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

/// Traffic of many flows, one entry per link of the network. `flows` counts those that put any
/// share of theirs on the link; with Valiant each of the two legs of a flow counts by itself.
struct LinkTotals {
  std::vector<double> traffic;      ///< bytes
  std::vector<std::int32_t> flows;  ///< number of them
};

/// A flow as seen from its source.
struct OutFlow {
  HostId destination{};  ///< host that receives
  Bytes volume;          ///< bytes that it receives
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
  virtual ~Network();

  /// Bandwidth, latency and sharing of one link.
  virtual LinkProperties link(LinkId link) const = 0;

  /// Vertices at both ends, or nothing where the network only knows routes (platform files).
  virtual std::optional<LinkEnds> link_ends(LinkId link) const = 0;

  /// Name for messages and for options, made on demand; unique within the network.
  virtual std::string link_name(LinkId link) const = 0;
  /// Name of a host for messages and for options; unique within the network.
  virtual std::string host_name(HostId host) const;
  /// Name of a host, router or switch, human-readable: `vertex` as in `LinkEnds`.
  virtual std::string vertex_name(int vertex) const;

  /// Appends the links from `source` to `destination` in the order of travel; nothing for a host to
  /// itself.
  virtual void append_route(HostId source, HostId destination,
                            std::vector<LinkId>& links) const = 0;

  /// Appends every link that a flow uses, each once, with the share of the flow that takes it; in
  /// the order of travel where there is one route.
  virtual void append_shares(HostId source, HostId destination,
                             std::vector<LinkShare>& shares) const;

  /// What `append_shares` appends, as runs of links.
  virtual void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const;

  /// Sums the traffic of many flows; the fastest way that the network has.
  virtual std::unique_ptr<LinkTraffic> make_link_traffic() const;

  /// Sum of the hops of the links on the shortest of the routes that a flow may take: the distance
  /// that mappers see. O(levels or dimensions) on modelled networks.
  virtual int hops(HostId source, HostId destination) const = 0;

  /// `hops` from one host to several: one entry each.
  virtual void hops_from(HostId source, std::span<const HostId> destinations,
                         std::span<int> result) const;

  /// Hops per byte of a flow, averaged over the routes that it splits over; `hops` where every
  /// route is a shortest one.
  virtual double mean_hops(HostId source, HostId destination) const {
    return hops(source, destination);
  }

  /// The same network without some links, ids unchanged, if its model finds other routes by itself;
  /// null if it does not: then a search in its links may.
  virtual std::shared_ptr<const Network> without_links(std::span<const LinkId>) const {
    return nullptr;
  }

  /// All that it knows beyond its routes, made at the first question and kept.
  const NetworkFacts& facts() const {
    const NetworkFacts* const made = facts_.load(std::memory_order_acquire);
    return made != nullptr ? *made : keep_facts();
  }

  int num_hosts() const { return facts().num_hosts; }                   ///< see `NetworkFacts`
  int num_links() const { return facts().num_links; }                   ///< see `NetworkFacts`
  Routing routing() const { return facts().routing; }                   ///< see `NetworkFacts`
  bool splits_flows() const { return facts().splits_flows; }            ///< see `NetworkFacts`
  bool computes_runs() const { return facts().computes_runs; }          ///< see `NetworkFacts`
  bool routes_pass_hosts() const { return facts().routes_pass_hosts; }  ///< see `NetworkFacts`
  std::string description() const { return facts().description; }       ///< see `NetworkFacts`
  /// See `NetworkFacts`.
  const NetworkDefaults* description_defaults() const { return facts().description_defaults; }
  /// Whether a host is not down.
  bool is_up(HostId host) const { return !is_in(facts().down_hosts, index(host)); }
  /// Whether a link is not down.
  bool link_is_up(LinkId link) const { return !is_in(facts().down_links, index(link)); }

  /// See `NetworkFacts`, as all below.
  std::optional<HostCoordinates> coordinates() const { return facts().coordinates; }
  std::vector<HostGroups> hierarchy() const { return facts().hierarchy; }        ///< see above
  HopMetric hop_metric() const { return facts().hop_metric; }                    ///< see above
  std::optional<HostSites> sites() const { return facts().sites; }               ///< see above
  std::optional<NetworkLayout> layout() const { return facts().layout; }         ///< see above
  std::vector<LinkClass> link_classes() const { return facts().link_classes; }   ///< see above
  int link_class(LinkId link) const { return asked(facts().link_class, link); }  ///< see above
  /// See above.
  std::optional<SimgridCluster> simgrid_cluster() const { return facts().simgrid_cluster; }
  HostPlace host_place(HostId host) const;                               ///< see above
  std::optional<LinkEnds> link_sides(LinkId link) const;                 ///< see above
  int diameter() const { return asked(facts().diameter); }               ///< see above
  std::vector<HostParts> parts() const { return asked(facts().parts); }  ///< see above
  std::vector<VertexCells> cuts() const { return asked(facts().cuts); }  ///< see above
  /// See above.
  std::optional<Bisection> bisection() const { return asked(facts().bisection); }
  /// See above.
  std::vector<std::int64_t> distance_profile(std::int64_t count) const {
    return asked(facts().distance_profile, count);
  }
  /// See above.
  BytesPerSecond injection_bandwidth(HostId host) const {
    return asked(facts().injection_bandwidth, host);
  }
  /// See above.
  Seconds flow_latency(HostId source, HostId destination) const {
    return asked(facts().flow_latency, source, destination);
  }
  /// See above; null where routes depend on their hosts alone.
  std::shared_ptr<const Network> routed(std::span<const HostFlow> traffic) const {
    return asked(facts().routed, traffic);
  }

 protected:
  /// Fills them in; must not ask the network itself for any.
  virtual NetworkFacts make_facts() const = 0;

 private:
  static bool is_in(const std::vector<bool>& set, std::size_t position) {
    return position < set.size() && set[position];
  }
  /// What a function computes; a value that says nothing where it is empty.
  template <class Value, class... Arguments>
  static Value asked(const std::function<Value(Arguments...)>& function,
                     const std::type_identity_t<Arguments>&... arguments) {
    return function ? function(arguments...) : Value{};
  }
  const NetworkFacts& keep_facts() const;

  mutable std::atomic<const NetworkFacts*> facts_ = nullptr;  ///< of several threads, by the first
};

}  // namespace vtopo
