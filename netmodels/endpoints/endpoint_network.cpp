#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/endpoints/endpoint_ids.hpp"
#include "netmodels/endpoints/endpoint_spec.hpp"

namespace vtopo::detail {

namespace {

/// Sums of the networks behind interfaces, and of the links of endpoints.
class EndpointTraffic final : public LinkTraffic {
 public:
  EndpointTraffic(const Network& inner, const EndpointIds& ids, const Interfaces& interfaces)
      : ids_(ids), interfaces_(interfaces), inner_(interfaces.networks().size()) {
    first_ = index(inner.num_links());
    own_.traffic.resize(index(ids.num_links()) - first_);
    own_.flows.resize(own_.traffic.size());
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    if (const auto network = add_outside(source, destination, volume))
      sums_of(*network).add(HostId{ids_.node_of(source)}, HostId{ids_.node_of(destination)},
                            volume);
  }

  void add_from(HostId source, std::span<const OutFlow> flows) override {
    if (inner_.size() > 1) return LinkTraffic::add_from(source, flows);
    constexpr std::size_t at_once = 32;
    std::array<OutFlow, at_once> leaving;
    while (!flows.empty()) {
      const auto some = flows.first(std::min(flows.size(), at_once));
      std::size_t count = 0;
      for (const auto& [destination, volume] : some)
        if (add_outside(source, destination, volume))
          leaving[count++] = {HostId{ids_.node_of(destination)}, volume};
      if (count > 0)
        sums_of(0).add_from(HostId{ids_.node_of(source)}, std::span(leaving).first(count));
      flows = flows.subspan(some.size());
    }
  }

  LinkTotals totals() override {
    LinkTotals totals = sums_of(0).totals();
    for (std::size_t n = 1; n < inner_.size(); ++n) {
      if (!inner_[n]) continue;
      const LinkTotals some = inner_[n]->totals();
      for (std::size_t l = 0; l < first_; ++l) {
        totals.traffic[l] += some.traffic[l];
        totals.flows[l] += some.flows[l];
      }
    }
    totals.traffic.resize(first_);
    totals.flows.resize(first_);
    totals.traffic.insert(totals.traffic.end(), own_.traffic.begin(), own_.traffic.end());
    totals.flows.insert(totals.flows.end(), own_.flows.begin(), own_.flows.end());
    return totals;
  }

 private:
  /// The links of endpoints. @returns the network that the flow takes, if it leaves its node.
  std::optional<std::size_t> add_outside(HostId source, HostId destination, Bytes volume) {
    const bool leaves = ids_.node_of(source) != ids_.node_of(destination);
    const int levels = leaves ? ids_.num_levels() : ids_.meeting_level(source, destination);
    for (int level = 1; level <= levels; ++level) {
      count(ids_.up(level, source), volume);
      count(ids_.down(level, destination), volume);
    }
    if (!leaves) return std::nullopt;
    const NodePath path = interfaces_.path(source, destination);
    if (ids_.interfaces() > 0) {
      count(path.out, volume);
      count(path.in, volume);
    }
    return path.network;
  }

  /// Made at the first flow.
  LinkTraffic& sums_of(std::size_t network) {
    if (!inner_[network]) inner_[network] = interfaces_.networks()[network]->make_link_traffic();
    return *inner_[network];
  }

  void count(LinkId link, Bytes volume) {
    own_.traffic[index(link) - first_] += volume.value;
    ++own_.flows[index(link) - first_];
  }

  const EndpointIds& ids_;
  const Interfaces& interfaces_;
  std::vector<std::unique_ptr<LinkTraffic>> inner_;  ///< one entry per network behind interfaces
  std::size_t first_ = 0;                            ///< link that is not one of the inner network
  LinkTotals own_;                                   ///< of the others
};

class EndpointNetwork final : public Network {
 public:
  EndpointNetwork(const std::shared_ptr<const Network>& inner, const EndpointSpec& endpoints)
      : EndpointNetwork(inner, endpoints, {}, {}) {}

  /// @param whole the inner network when all its links work.
  EndpointNetwork(std::shared_ptr<const Network> whole, const EndpointSpec& endpoints,
                  std::span<const LinkId> failed_interfaces, std::vector<LinkId> failed_inner)
      : whole_(crosses_planes(endpoints) ? whole->facts().planes.in_planes({0, 0, true})
                                         : std::move(whole)),
        planes_(endpoints.planes > 1 ? &whole_->facts().planes : nullptr),
        inner_(without(whole_, failed_inner)),
        endpoints_(endpoints),
        ids_(*inner_, endpoints_),
        same_hops_(endpoints.planes == 1 || (!crosses_planes(endpoints) && failed_inner.empty() &&
                                             failed_interfaces.empty())),
        interfaces_(ids_, endpoints_, networks_behind(failed_inner), failed_interfaces,
                    !failed_inner.empty()),
        inner_classes_(whole_->link_classes()) {
    if (ids_.interfaces() > 0) {
      add_rate(endpoints_.injection, false);
      add_rate(endpoints_.extraction, false);
    }
    for (const NodeLevel& level : endpoints_.levels) add_rate(level.rate, true);
  }

  LinkProperties link(LinkId link) const override {
    return ids_.is_inner(link) ? inner_->link(link) : rates_[own_class(link)];
  }
  std::string link_name(LinkId link) const override;
  std::string host_name(HostId host) const override {
    const std::string node = node_name(ids_.node_of(host));
    return ids_.num_levels() == 0 ? node : fmt::format("{}.{}", node, ids_.number_of(host));
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override;

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    append(
        source, destination, [&](LinkId link) { links.push_back(link); },
        [&](const Network& inner, HostId from, HostId to) { inner.append_route(from, to, links); });
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    append(
        source, destination, [&](LinkId link) { shares.push_back({link}); },
        [&](const Network& inner, HostId from, HostId to) {
          inner.append_shares(from, to, shares);
        });
  }
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    append(
        source, destination, [&](LinkId link) { runs.push_back({link}); },
        [&](const Network& inner, HostId from, HostId to) { inner.append_runs(from, to, runs); });
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return std::make_unique<EndpointTraffic>(*inner_, ids_, interfaces_);
  }

  int hops(HostId source, HostId destination) const override {
    const HostId from = node(source), to = node(destination);
    return from == to ? 2 * ids_.meeting_level(source, destination)
                      : between(source, destination).hops(from, to) + hops_inside();
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override;
  double mean_hops(HostId source, HostId destination) const override {
    const HostId from = node(source), to = node(destination);
    return from == to ? hops(source, destination)
                      : between(source, destination).mean_hops(from, to) + hops_inside();
  }
  std::string vertex_name(int vertex) const override;
  std::shared_ptr<const Network> without_links(std::span<const LinkId> links) const override;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = endpoint_facts(*inner_, ids_, endpoints_, same_hops_);
    facts.description = whole_->description() + endpoint_text(endpoints_);
    facts.link_classes = link_classes();
    facts.link_class = [this](LinkId link) {
      if (ids_.is_inner(link)) return whole_->link_class(link);
      return static_cast<int>(inner_classes_.size() + own_class(link));
    };
    facts.injection_bandwidth = [this](HostId host) { return injection_bandwidth(host); };
    facts.diameter = [this] {
      if (inner_->num_hosts() == 1) return hops(HostId{0}, HostId{ids_.num_places() - 1});
      const auto& network = *interfaces_.networks()[crosses_planes(endpoints_) ? 1 : 0];
      return network.diameter() + hops_inside();
    };
    facts.bisection = [this] { return bisection(); };
    facts.planes.count = whole_->facts().planes.count;
    facts.planes.plane_of = [this](LinkId link) {
      const auto& plane_of = whole_->facts().planes.plane_of;
      return plane_of && ids_.is_inner(link) ? plane_of(link) : -1;
    };
    const int cables = whole_->facts().cables_per_host;
    const bool parts_planes = endpoints_.policy != NicPolicy::round_robin && facts.planes.count > 1;
    if (has_interfaces() && endpoints_.nics > 1 && cables > 1 && !facts.splits_flows &&
        !parts_planes)
      facts.assumptions.push_back(fmt::format(
          "messages to one host all take the same of a host's {} cables, whatever the interface: "
          "--routing ecmp uses all, rails=N,nics=N,node=N gives each interface its own",
          cables));
    return facts;
  }

  std::vector<LinkClass> link_classes() const;
  BytesPerSecond injection_bandwidth(HostId host) const;
  std::optional<Bisection> bisection() const;

  /// @param counts_as_hop of links inside nodes, which so weigh in mappings; interfaces leave hops
  /// and all that follows from them as they are without.
  void add_rate(const EndpointRate& rate, bool counts_as_hop) {
    constexpr double unlimited = 1e18;  // the most that links can have
    const int bundled = !counts_as_hop && ids_.interfaces() < endpoints_.nics ? endpoints_.nics : 1;
    rates_.push_back({{std::min(rate.bandwidth.value * bundled, unlimited)},
                      rate.latency,
                      LinkSharing::shared,
                      counts_as_hop ? 1.0 : 0.0});
  }

  static bool crosses_planes(const EndpointSpec& endpoints) {
    return endpoints.planes > 1 && endpoints.rail == RailPolicy::spine;
  }
  static std::shared_ptr<const Network> without(const std::shared_ptr<const Network>& network,
                                                const std::vector<LinkId>& failed) {
    ResolvedEdits edits;
    edits.failed_links = failed;
    return apply_edits(network, edits);
  }
  std::vector<std::shared_ptr<const Network>> networks_behind(
      const std::vector<LinkId>& failed) const;
  std::vector<LinkId> cables_of_other_planes(const FlowPlanes& planes) const;

  /// The inner network as a flow between two nodes meets it; for what does not differ between
  /// planes, any of them.
  const Network& between(HostId source, HostId destination) const {
    return same_hops_ ? *inner_
                      : *interfaces_.networks()[interfaces_.path(source, destination).network];
  }

  HostId node(HostId place) const { return HostId{ids_.node_of(place)}; }
  std::string node_name(int node) const { return inner_->host_name(HostId{node}); }
  int hops_inside() const { return 2 * ids_.num_levels(); }
  bool has_interfaces() const { return ids_.interfaces() > 0; }

  /// Injection, extraction, then the levels.
  std::size_t own_class(LinkId link) const {
    const auto part = ids_.part(link);
    if (part.level == 0) return part.outwards ? 0 : 1;
    return index(part.level - 1 + (has_interfaces() ? 2 : 0));
  }

  /// Links in the order of travel: `own` takes one, `between` the nodes of the inner network.
  template <class Own, class Between>
  void append(HostId source, HostId destination, const Own& own, const Between& between) const {
    const HostId from = node(source), to = node(destination);
    const int levels = from == to ? ids_.meeting_level(source, destination) : ids_.num_levels();
    for (int level = 1; level <= levels; ++level) own(ids_.up(level, source));
    if (from != to) {
      const NodePath path = interfaces_.path(source, destination);
      if (has_interfaces()) own(path.out);
      between(*interfaces_.networks()[path.network], from, to);
      if (has_interfaces()) own(path.in);
    }
    for (int level = levels; level >= 1; --level) own(ids_.down(level, destination));
  }

  bool narrows_no_host() const;
  bool has_full_bisection(const Bisection& inner) const;

  std::shared_ptr<const Network> whole_;  ///< names kinds of links: those that fail have another
  const NetworkPlanes* planes_;           ///< in which the interfaces are, if in any
  std::shared_ptr<const Network> inner_;
  EndpointSpec endpoints_;
  EndpointIds ids_;
  bool same_hops_;  ///< in all planes, between any two nodes
  Interfaces interfaces_;
  std::vector<LinkClass> inner_classes_;
  std::vector<LinkProperties> rates_;  ///< one entry per class of links that are not inner ones
};

/// `host-3:nic0-out`, `host-3:nics-out` for all of a node together, `host-3:nvlink.5-up`.
std::string EndpointNetwork::link_name(LinkId link) const {
  if (ids_.is_inner(link)) return inner_->link_name(link);
  const auto [level, outwards, node, number] = ids_.part(link);
  if (level > 0)
    return fmt::format("{}:{}.{}-{}", node_name(node), endpoints_.levels[index(level - 1)].name,
                       number, outwards ? "up" : "down");
  const std::string nic = ids_.interfaces() < endpoints_.nics ? "s" : std::to_string(number);
  return fmt::format("{}:nic{}-{}", node_name(node), nic, outwards ? "out" : "in");
}

std::optional<LinkEnds> EndpointNetwork::link_ends(LinkId link) const {
  if (ids_.is_inner(link)) {
    auto ends = inner_->link_ends(link);
    const int plane = planes_ != nullptr ? planes_->plane_of(link) : 0;
    if (ends)
      ends = LinkEnds{ids_.inner_vertex(ends->from, plane), ids_.inner_vertex(ends->to, plane)};
    return ends;
  }
  const auto [level, outwards, node, number] = ids_.part(link);
  const int below =
      level > 0 ? ids_.vertex(level - 1, node, number) : ids_.vertex(ids_.num_levels(), node, 0);
  const int next =
      level > 0 ? ids_.places_per_vertex(level) / ids_.places_per_vertex(level - 1) : 1;
  const int above = level > 0 ? ids_.vertex(level, node, number / next)
                              : ids_.port(node, number % ids_.ports_per_node());
  return outwards ? LinkEnds{below, above} : LinkEnds{above, below};
}

void EndpointNetwork::hops_from(HostId source, std::span<const HostId> destinations,
                                std::span<int> result) const {
  if (!same_hops_) return Network::hops_from(source, destinations, result);
  if (ids_.num_levels() == 0) return inner_->hops_from(source, destinations, result);
  constexpr std::size_t at_once = 64;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read, in a hot loop
  std::array<HostId, at_once> nodes;
  while (!destinations.empty()) {
    const std::size_t count = std::min(destinations.size(), at_once);
    for (std::size_t i = 0; i < count; ++i) nodes[i] = node(destinations[i]);
    inner_->hops_from(node(source), std::span(nodes).first(count), result);
    for (std::size_t i = 0; i < count; ++i)
      result[i] = nodes[i] == node(source) ? 2 * ids_.meeting_level(source, destinations[i])
                                           : result[i] + hops_inside();
    destinations = destinations.subspan(count);
    result = result.subspan(count);
  }
}

/// What a host can send is what its interfaces and the cables behind them both let through.
BytesPerSecond EndpointNetwork::injection_bandwidth(HostId host) const {
  if (ids_.num_levels() > 0) return rates_[has_interfaces() ? 2 : 0].bandwidth;
  return std::min(rates_[0].bandwidth * ids_.interfaces(), inner_->injection_bandwidth(host));
}

/// Whether every host keeps what it can send, and receive if that is as much.
bool EndpointNetwork::narrows_no_host() const {
  const double least = std::min(rates_[0].bandwidth.value, rates_[1].bandwidth.value);
  for (int h = 0; h < num_hosts(); ++h)
    if (least * ids_.interfaces() < inner_->injection_bandwidth(HostId{h}).value) return false;
  return true;
}

/// Whether half of the hosts can send to the others all that they can send.
bool EndpointNetwork::has_full_bisection(const Bisection& inner) const {
  constexpr double rounding = 1e-9;
  const int half = num_hosts() / 2;
  for (int h = 0; h < num_hosts(); ++h)
    if (inner_->injection_bandwidth(HostId{h}).value * half >
        inner.bandwidth.value * (1 + rounding))
      return false;
  return true;
}

/// Interfaces that carry as much as all links behind them leave the halves of least cut as they
/// are. With narrower ones a least cut between halves of n hosts has s hosts' cables behind it and
/// the interfaces of the n/2 - s others. Where the network behind has full bisection, the cables
/// need no less than those of s hosts; where uniform traffic fills its bisection, no less than in
/// proportion to s (n - s). Both are concave in s, so that the least sum is at s = 0 or s = n/2.
std::optional<Bisection> EndpointNetwork::bisection() const {
  if (ids_.num_levels() > 0) return std::nullopt;
  auto inner = inner_->bisection();
  if (!inner || narrows_no_host()) return inner;
  if (!has_full_bisection(*inner) && !is_filled_by_uniform_traffic(*inner_, *inner))
    return std::nullopt;
  const std::int64_t interfaces = std::int64_t{num_hosts() / 2} * ids_.interfaces();
  const BytesPerSecond bandwidth =
      std::min(rates_[0].bandwidth, rates_[1].bandwidth) * static_cast<double>(interfaces);
  if (!(bandwidth < inner->bandwidth)) return inner;
  return Bisection{bandwidth, interfaces, true, "closed form: interfaces of half of the hosts"};
}

/// Inner vertices of hosts are the ports behind the interfaces, or what joins all places of a node.
std::string EndpointNetwork::vertex_name(int vertex) const {
  if (vertex < num_hosts()) return host_name(HostId{vertex});
  const int port = vertex - ids_.first_port(), ports = ids_.ports_per_node();
  if (port >= ids_.num_nodes() * ports)
    return inner_->vertex_name(vertex - ids_.first_inner_vertex());
  if (port >= 0)
    return fmt::format("{}:port{}", node_name(port / ports),
                       ports > 1 ? std::to_string(port % ports) : "");
  int tier = ids_.num_tiers();
  while (vertex < ids_.first_vertex(tier)) --tier;
  const int per_node = ids_.places_per_node() / ids_.places_per_vertex(tier);
  const int number = vertex - ids_.first_vertex(tier);
  return fmt::format("{}:{}.{}", node_name(number / per_node),
                     endpoints_.levels[index(tier - 1)].name, number % per_node);
}

std::vector<LinkClass> EndpointNetwork::link_classes() const {
  std::vector<LinkClass> classes = inner_classes_;
  const auto add = [&](std::string name, std::int64_t links) {
    const LinkProperties& rate = rates_[classes.size() - inner_classes_.size()];
    classes.push_back({std::move(name), links, rate.bandwidth, rate.latency});
  };
  if (has_interfaces())
    for (const char* const name : {"injection", "extraction"})
      add(name, std::int64_t{ids_.num_nodes()} * ids_.interfaces());
  for (int level = 1; level <= ids_.num_levels(); ++level)
    add(endpoints_.levels[index(level - 1)].name,
        std::int64_t{2} * (ids_.num_places() / ids_.places_per_vertex(level - 1)));
  return classes;
}

/// One network, or one for each way to take planes. Flows stay in theirs where links failed: the
/// cables of hosts to other planes are as if they had failed too.
std::vector<std::shared_ptr<const Network>> EndpointNetwork::networks_behind(
    const std::vector<LinkId>& failed) const {
  if (planes_ == nullptr) return {inner_};
  std::vector<std::shared_ptr<const Network>> networks;
  const bool crosses = crosses_planes(endpoints_);
  for (int out = 0; out < endpoints_.planes; ++out)
    for (int in = crosses ? 0 : out; in < (crosses ? endpoints_.planes : out + 1); ++in) {
      const FlowPlanes planes{out, in, crosses};
      std::vector<LinkId> unusable = failed;
      if (!failed.empty()) {
        const auto others = cables_of_other_planes(planes);
        unusable.insert(unusable.end(), others.begin(), others.end());
      }
      networks.push_back(without(planes_->in_planes(planes), unusable));
    }
  return networks;
}

std::vector<LinkId> EndpointNetwork::cables_of_other_planes(const FlowPlanes& planes) const {
  std::vector<LinkId> cables;
  for (int l = 0; l < whole_->num_links(); ++l) {
    const auto ends = whole_->link_ends(LinkId{l});
    const int plane = planes_->plane_of(LinkId{l}), nodes = whole_->num_hosts();
    if ((ends->from < nodes && plane != planes.out) || (ends->to < nodes && plane != planes.in))
      cables.push_back(LinkId{l});
  }
  return cables;
}

/// Messages take the other interfaces of a node; failed links of the inner network are treated as
/// without endpoints. Nothing if a place or a node is cut off: the routes that are left are then
/// found by search.
std::shared_ptr<const Network> EndpointNetwork::without_links(std::span<const LinkId> links) const {
  std::vector<LinkId> inner, interfaces;
  for (const LinkId link : links) {
    if (!ids_.is_inner(link) && ids_.part(link).level > 0) return nullptr;
    (ids_.is_inner(link) ? inner : interfaces).push_back(link);
  }
  auto result = std::make_shared<EndpointNetwork>(
      whole_, endpoints_, std::span<const LinkId>(interfaces), std::move(inner));
  if (!result->interfaces_.join_all()) return nullptr;
  return result;
}

}  // namespace

std::shared_ptr<const Network> make_endpoint_network(std::shared_ptr<const Network> inner,
                                                     const EndpointSpec& endpoints) {
  const EndpointSpec in_use = in_planes(endpoints, *inner);
  if (in_use.empty()) return inner;
  return std::make_shared<EndpointNetwork>(std::move(inner), in_use);
}

}  // namespace vtopo::detail
