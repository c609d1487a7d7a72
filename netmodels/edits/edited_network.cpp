#include "netmodels/edits/edited_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <utility>

#include "netmodels/edits/failed_parts.hpp"
#include "netmodels/edits/kept_hops.hpp"
#include "netmodels/graph/distances.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/links_at_hosts.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

bool has_rule(const Network& network) {
  return !std::holds_alternative<std::monostate>(network.hop_metric());
}

class EditedNetwork final : public Network {
 public:
  EditedNetwork(std::shared_ptr<const Network> network, const ResolvedEdits& edits)
      : base_(std::move(network)),
        failed_(*base_, edits),
        factors_(edits.factors),
        words_(in_words(edits)) {
    if (failed_.any_link()) {
      const auto links = failed_.links();
      if (auto answer = base_->without_links(links)) {
        base_ = std::move(answer);
      } else {
        check_routing(links.front());
        reroutes_ = true;
        keeps_hops_ = fails_at_hosts_only();
        if (has_rule(*base_) && num_hosts() <= KeptHops::max_hosts) kept_hops_.emplace(num_hosts());
      }
    }
    classes_ = edited_classes(*base_, failed_, factors_);
  }

  int num_hosts() const override { return base_->num_hosts(); }
  int num_links() const override { return base_->num_links(); }
  std::string link_name(LinkId link) const override { return base_->link_name(link); }
  std::string host_name(HostId host) const override { return base_->host_name(host); }
  HostPlace host_place(HostId host) const override { return base_->host_place(host); }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return base_->link_ends(link); }
  std::optional<LinkEnds> link_sides(LinkId link) const override { return base_->link_sides(link); }
  bool routes_pass_hosts() const override { return base_->routes_pass_hosts(); }
  Routing routing() const override { return base_->routing(); }
  bool splits_flows() const override { return base_->splits_flows(); }
  std::optional<HostCoordinates> coordinates() const override { return base_->coordinates(); }
  std::vector<HostGroups> hierarchy() const override { return base_->hierarchy(); }
  HopMetric hop_metric() const override { return keeps_hops_ ? base_->hop_metric() : HopMetric{}; }
  /// Parts and cuts are sets of hosts and routers, which edits leave as they are.
  std::vector<HostParts> parts() const override { return base_->parts(); }
  std::vector<VertexCells> cuts() const override { return base_->cuts(); }
  std::optional<HostSites> sites() const override {
    return failed_.any_link() || failed_.any_host() ? std::nullopt : base_->sites();
  }
  std::vector<std::int64_t> distance_profile(std::int64_t count) const override {
    return base_->distance_profile(count);
  }
  std::optional<NetworkLayout> layout() const override { return base_->layout(); }
  std::string vertex_name(int vertex) const override { return base_->vertex_name(vertex); }
  std::string description() const override { return base_->description() + ", " + words_; }
  bool is_up(HostId host) const override { return !failed_.has(host) && base_->is_up(host); }
  bool link_is_up(LinkId link) const override {
    return !failed_.has(link) && base_->link_is_up(link);
  }

  LinkProperties link(LinkId link) const override {
    LinkProperties properties = base_->link(link);
    if (!factors_.empty()) properties.bandwidth = properties.bandwidth * factors_[index(link)];
    return properties;
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    check_up(source, destination);
    const std::size_t begin = links.size();
    base_->append_route(source, destination, links);
    if (!reroutes_) return;
    const auto broken = splits_flows() ? broken_link(source, destination)
                                       : failed_.first_of(std::span(links).subspan(begin));
    if (!broken) return;
    links.resize(begin);
    around(source, destination, *broken).append_route(source, destination, links);
  }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (!splits_flows()) return Network::append_shares(source, destination, shares);
    check_up(source, destination);
    const auto broken = reroutes_ ? broken_link(source, destination) : std::nullopt;
    if (broken)
      around(source, destination, *broken).append_shares(source, destination, shares);
    else
      base_->append_shares(source, destination, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return reroutes_ ? Network::make_link_traffic() : base_->make_link_traffic();
  }

  int hops(HostId source, HostId destination) const override {
    check_up(source, destination);
    if (!reroutes_) return base_->hops(source, destination);
    const KeptHops::Row* const row = kept_hops_ ? kept_hops_->row(source) : nullptr;
    if (row != nullptr && (*row)[index(destination)] != KeptHops::unknown)
      return (*row)[index(destination)];
    if (const auto hops = rerouted_hops(source, destination)) return *hops;
    fail_without_route(source, destination, broken_link(source, destination).value());
  }

  /// Readers ask for the same pairs again and again: a row is kept once it is asked for.
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    if (kept_hops_ && is_up(source) && kept_hops_->row(source) == nullptr)
      kept_hops_->keep(source, hop_row(source));
    Network::hops_from(source, destinations, result);
  }

  Seconds flow_latency(HostId source, HostId destination) const override {
    return base_->flow_latency(source, destination);
  }

  double mean_hops(HostId source, HostId destination) const override {
    check_up(source, destination);
    if (!reroutes_ || !broken_link(source, destination))
      return base_->mean_hops(source, destination);
    std::vector<LinkShare> shares;
    append_shares(source, destination, shares);
    double sum = 0;
    for (const auto& [id, share] : shares) sum += share * base_->link(id).hops;
    return sum;
  }

  /// Asks all pairs up to 2,048 hosts; above, pairs of as many random hosts: then a lower bound.
  int diameter() const override {
    if (!failed_.any_link() && !failed_.any_host()) return base_->diameter();
    const std::scoped_lock lock(diameter_mutex_);
    if (!diameter_) diameter_ = route_distances(*this).diameter;
    return *diameter_;
  }

  BytesPerSecond injection_bandwidth(HostId host) const override {
    BytesPerSecond sum;
    if (!is_up(host)) return sum;
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest == nullptr) return first_links_bandwidth(host);
    for (const Arc& arc : shortest->graph().out_arcs(number(host)))
      sum += usable_bandwidth(arc.link);
    return sum;
  }

  std::vector<LinkClass> link_classes() const override { return classes_.classes; }
  int link_class(LinkId link) const override { return classes_.class_of[index(link)]; }

 private:
  void check_routing(LinkId link) const {
    if (base_->routing() == Routing::valiant)
      throw UsageError(
          fmt::format("link \"{}\" failed: under --routing valiant nearly every flow has a share "
                      "on it, and no rule leads all of them around; accepted are the other rules",
                      link_name(link)));
  }

  void check_up(HostId source, HostId destination) const {
    if (!failed_.any_host() || source == destination) return;
    for (const HostId host : {source, destination})
      if (failed_.has(host))
        throw InputError(fmt::format("there is no route from \"{}\" to \"{}\": host \"{}\" failed",
                                     host_name(source), host_name(destination), host_name(host)));
  }

  /// Nothing if there is no route.
  std::optional<int> rerouted_hops(HostId source, HostId destination) const {
    if (!broken_link(source, destination)) return base_->hops(source, destination);
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest == nullptr || shortest->distance(source, destination) == LinkGraph::unreachable)
      return std::nullopt;
    std::vector<LinkId> route;
    shortest->append_route(source, destination, route);
    double hops = 0;
    for (const LinkId id : route) hops += base_->link(id).hops;
    return static_cast<int>(std::lround(hops));
  }

  KeptHops::Row hop_row(HostId source) const {
    KeptHops::Row row;
    row.reserve(static_cast<std::size_t>(num_hosts()));
    for (int h = 0; h < num_hosts(); ++h) {
      const auto hops = is_up(HostId{h}) ? rerouted_hops(source, HostId{h}) : std::nullopt;
      row.push_back(narrow<std::uint16_t>(
          std::min<int>(hops.value_or(KeptHops::unknown), KeptHops::unknown)));
    }
    return row;
  }

  /// Whether all failed links join a failed host to a router: no other host's route takes them.
  bool fails_at_hosts_only() const {
    const auto is_router = [&](int vertex) { return vertex >= num_hosts(); };
    const auto is_failed = [&](int vertex) {
      return !is_router(vertex) && failed_.has(HostId{vertex});
    };
    return std::all_of(failed_.links().begin(), failed_.links().end(), [&](LinkId link) {
      const auto ends = base_->link_ends(link);
      return ends && ((is_failed(ends->from) && is_router(ends->to)) ||
                      (is_router(ends->from) && is_failed(ends->to)));
    });
  }

  /// First failed link that a flow would use.
  std::optional<LinkId> broken_link(HostId source, HostId destination) const {
    if (splits_flows()) {
      std::vector<LinkShare> shares;
      base_->append_shares(source, destination, shares);
      for (const auto& [link, share] : shares)
        if (failed_.has(link)) return link;
      return std::nullopt;
    }
    std::vector<LinkId> route;
    base_->append_route(source, destination, route);
    return failed_.first_of(route);
  }

  /// Over the links that work, made when first asked for: a large platform takes long to say where
  /// its links lead. Null where it cannot.
  const ShortestRoutes* shortest_routes() const {
    std::call_once(shortest_made_, [this] {
      if (auto graph = LinkGraph::of(*base_, failed_.flags())) shortest_.emplace(std::move(graph));
    });
    return shortest_ ? &*shortest_ : nullptr;
  }

  [[noreturn]] void fail_without_route(HostId source, HostId destination, LinkId broken) const {
    throw InputError(fmt::format(
        "there is no route from \"{}\" to \"{}\": it used the failed link \"{}\", and {}",
        host_name(source), host_name(destination), link_name(broken),
        shortest_routes() != nullptr
            ? "the links that work do not join the two hosts"
            : "of this network only the declared routes are known, not where else its links "
              "lead"));
  }

  /// The routes around failed links, if there is one for this pair.
  const ShortestRoutes& around(HostId source, HostId destination, LinkId broken) const {
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest != nullptr && shortest->distance(source, destination) != LinkGraph::unreachable)
      return *shortest;
    fail_without_route(source, destination, broken);
  }

  BytesPerSecond usable_bandwidth(LinkId id) const {
    const LinkProperties properties = link(id);
    return properties.sharing == LinkSharing::fatpipe
               ? BytesPerSecond{std::numeric_limits<double>::infinity()}
               : properties.bandwidth;
  }

  /// Where not all ends of links are known: links at `host`, and those with which its routes begin.
  BytesPerSecond first_links_bandwidth(HostId host) const {
    std::set<LinkId> links = links_at_hosts_.of(*this, host);
    std::vector<LinkId> route;
    for (int h = 0; h < num_hosts(); ++h) {
      route.clear();
      try {
        append_route(host, HostId{h}, route);
      } catch (const InputError&) {
        continue;  // no route: no link to count
      }
      if (!route.empty()) links.insert(route.front());
    }
    BytesPerSecond sum;
    for (const LinkId link : links) sum += usable_bandwidth(link);
    return sum;
  }

  std::shared_ptr<const Network> base_;
  FailedParts failed_;
  std::vector<double> factors_;
  std::string words_;
  bool reroutes_ = false;                      ///< the model has no answer to the failed links
  bool keeps_hops_ = true;                     ///< between hosts that are up
  mutable std::optional<KeptHops> kept_hops_;  ///< if a rule of the model does not hold any more
  mutable std::once_flag shortest_made_;
  mutable std::optional<ShortestRoutes> shortest_;
  LinksAtHosts links_at_hosts_;
  EditedClasses classes_;
  mutable std::mutex diameter_mutex_;
  mutable std::optional<int> diameter_;
};

}  // namespace

std::shared_ptr<const Network> make_edited_network(std::shared_ptr<const Network> network,
                                                   const ResolvedEdits& edits) {
  return std::make_shared<EditedNetwork>(std::move(network), edits);
}

}  // namespace vtopo::detail
