#include "netmodels/models/torus/torus.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/models/torus/ecmp.hpp"
#include "netmodels/models/torus/grid.hpp"
#include "netmodels/models/torus/twisted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

TorusHosts place_hosts(const TorusSpec& spec, const TorusGrid& grid) {
  const int per_router = spec.hosts_per_router;
  if (per_router < 1)
    throw UsageError(fmt::format("{} hosts per torus router: accepted is >= 1", per_router));
  if (per_router > 1) {
    const std::int64_t hosts = std::int64_t{grid.num_routers()} * per_router;
    if (hosts + grid.num_routers() > max_id)
      throw UsageError("torus with more than 2147483647 hosts and routers");
    if (2 * (grid.num_cables() + hosts) > max_id)
      throw UsageError("torus with more than 2147483647 directed links");
  }
  return {per_router, 2 * grid.num_cables(), ExactDivision(per_router)};
}

RingTies ties_of(Routing rule) {
  if (rule == Routing::automatic) return RingTies::parity;
  return rule == Routing::positive ? RingTies::positive : RingTies::simgrid;
}

/// Whether ties by parity make other routes than SimGrid's, which are the same on rings of two.
bool parity_matters(const TorusGrid& grid) {
  return std::any_of(grid.axes().begin(), grid.axes().end(), [&](const TorusAxis& axis) {
    return axis.has_ties() && (axis.size > 2 || grid.twist());
  });
}

class Torus final : public ModelledNetwork {
 public:
  explicit Torus(const TorusSpec& spec)
      : ModelledNetwork(spec.defaults),
        spec_(spec),
        grid_(spec.dimensions, spec.twist),
        hosts_(place_hosts(spec, grid_)),
        num_hosts_(grid_.num_routers() * spec.hosts_per_router),
        ties_(ties_of(spec.routing.rule)) {
    if (ties_ == RingTies::parity && !parity_matters(grid_)) {
      spec_.routing.rule = Routing::simgrid;
      ties_ = RingTies::simgrid;
    }
    if (grid_.twist()) twist_routes();
    for (const TorusDimension& dimension : spec.dimensions)
      rates_.push_back(link_properties(dimension.rates, spec.defaults));
    rates_.push_back(link_properties(spec.host_rates, spec.defaults));
  }

  LinkProperties link(LinkId link) const override { return properties(class_of(link)); }
  std::string link_name(LinkId link) const override;
  std::optional<LinkEnds> link_ends(LinkId link) const override;
  std::string vertex_name(int vertex) const override {
    return vertex < num_hosts_ ? host_name(HostId{vertex})
                               : fmt::format("router {}", vertex - num_hosts_);
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    for_each_link(source, destination, DimensionOrder{ties_},
                  [&](LinkId link, double) { links.push_back(link); });
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override;
  std::unique_ptr<LinkTraffic> make_link_traffic() const override;

  int hops(HostId source, HostId destination) const override {
    return distance(hosts_.router(source), hosts_.router(destination)) +
           host_links(source, destination);
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override;
  double mean_hops(HostId source, HostId destination) const override;

 private:
  NetworkFacts make_facts() const override;

  bool is_host_link(LinkId link) const { return number(link) >= hosts_.first_link; }
  HostId host_of(LinkId link) const { return HostId{(number(link) - hosts_.first_link) / 2}; }
  int host_links(HostId source, HostId destination) const {
    return hosts_.have_cables() && source != destination ? 2 : 0;
  }
  int count_links() const {
    return hosts_.first_link + (hosts_.have_cables() ? 2 * num_hosts_ : 0);
  }
  Routing rule() const { return spec_.routing.rule; }
  bool follows_dimension_order() const {
    return rule() != Routing::ecmp && rule() != Routing::valiant;
  }
  DimensionOrder order() const { return {ties_, rule() == Routing::split}; }
  int class_of(LinkId link) const {
    return is_host_link(link) ? int_size(spec_.dimensions) : grid_.axis_of(link).dimension;
  }
  const LinkProperties& properties(int link_class) const {
    return rates_[static_cast<std::size_t>(link_class)];
  }
  int distance(int source, int destination) const {
    return twisted_ ? twisted_->distance(source, destination) : grid_.distance(source, destination);
  }
  std::vector<LinkClass> link_classes() const;
  BytesPerSecond injection_bandwidth(HostId host) const;
  std::optional<SimgridCluster> simgrid_cluster() const;
  void twist_routes();
  void append_router_shares(int source, int destination, std::vector<LinkShare>& shares) const;

  /// Calls `visit(link, share)` for the links of the one route, or of both ways of a tie, in the
  /// order of travel.
  template <class Visit>
  void for_each_link(HostId source, HostId destination, const DimensionOrder& order,
                     const Visit& visit) const {
    if (source == destination) return;
    const int from = hosts_.router(source), to = hosts_.router(destination);
    if (hosts_.have_cables()) visit(hosts_.up(source), 1);
    if (twisted_)
      twisted_->for_each_link(from, to, [&](LinkId link) { visit(link, 1); });
    else
      order.for_each_run(grid_, from, to, [&](const LinkRun& run) {
        int link = number(run.first);
        for (int i = 0; i < run.count; ++i, link += run.step) visit(LinkId{link}, run.share);
      });
    if (hosts_.have_cables()) visit(hosts_.down(destination), 1);
  }

  TorusSpec spec_;
  TorusGrid grid_;
  TorusHosts hosts_;
  int num_hosts_;
  RingTies ties_;
  std::vector<LinkProperties> rates_;  ///< of each dimension, then of the hosts' cables
  std::optional<TwistedRoutes> twisted_;
};

NetworkFacts Torus::make_facts() const {
  NetworkFacts facts = modelled_facts(num_hosts_, count_links(), torus_description(spec_), rule(),
                                      rule() == Routing::split || !follows_dimension_order());
  facts.computes_runs = !twisted_ && follows_dimension_order();
  facts.link_classes = link_classes();
  facts.link_class = [this](LinkId link) { return class_of(link); };
  facts.injection_bandwidth = [this](HostId host) { return injection_bandwidth(host); };
  facts.simgrid_cluster = simgrid_cluster();
  const int diameter =
      (twisted_ ? twisted_->diameter() : grid_.diameter()) + (hosts_.have_cables() ? 2 : 0);
  add_torus_facts(spec_, twisted_ ? &*twisted_ : nullptr, diameter, facts);
  return facts;
}

void Torus::twist_routes() {
  if (rule() == Routing::positive || rule() == Routing::split)
    throw UsageError(fmt::format(
        "routing \"{}\" decides ties on the rings of a torus, of which a twist makes other cycles; "
        "accepted for a twisted torus: simgrid and auto (one shortest route), ecmp (all shortest "
        "routes), valiant",
        to_string(rule())));
  twisted_.emplace(grid_, ties_ == RingTies::parity ? ties_ : RingTies::positive);
}

std::string Torus::link_name(LinkId link) const {
  const bool forth = number(link) % 2 == 0;
  if (is_host_link(link)) {
    const int host = number(host_of(link)), router = hosts_.router(host_of(link));
    return forth ? fmt::format("host-{}->r{}", host, router)
                 : fmt::format("r{}->host-{}", router, host);
  }
  const auto [from, to] = grid_.ends(link);
  const char* router = hosts_.have_cables() ? "r" : "";
  return fmt::format("d{}{}:{}{}->{}{}", class_of(link), forth ? '+' : '-', router, from, router,
                     to);
}

std::optional<LinkEnds> Torus::link_ends(LinkId link) const {
  const int first_router = hosts_.have_cables() ? num_hosts_ : 0;
  if (is_host_link(link)) {
    const HostId host = host_of(link);
    const LinkEnds up{number(host), first_router + hosts_.router(host)};
    return link == hosts_.up(host) ? up : LinkEnds{up.to, up.from};
  }
  const auto [from, to] = grid_.ends(link);
  return LinkEnds{first_router + from, first_router + to};
}

std::vector<LinkClass> Torus::link_classes() const {
  std::vector<LinkClass> classes;
  for (int d = 0; d < int_size(spec_.dimensions); ++d) {
    const auto [bandwidth, latency, sharing, hops] = properties(d);
    classes.push_back({fmt::format("dimension {}", d), 0, bandwidth, latency});
  }
  for (const TorusAxis& axis : grid_.axes())
    classes[static_cast<std::size_t>(axis.dimension)].links = 2 * std::int64_t{axis.num_cables()};
  if (hosts_.have_cables()) {
    const LinkProperties cable = properties(int_size(classes));
    classes.push_back({"hosts", 2 * std::int64_t{num_hosts_}, cable.bandwidth, cable.latency});
  }
  return classes;
}

[[gnu::flatten]] void Torus::append_runs(HostId source, HostId destination,
                                         std::vector<LinkRun>& runs) const {
  if (twisted_ || !follows_dimension_order())
    return Network::append_runs(source, destination, runs);
  if (source == destination) return;
  if (hosts_.have_cables()) runs.push_back({hosts_.up(source)});
  order().for_each_run(grid_, hosts_.router(source), hosts_.router(destination),
                       [&](const LinkRun& run) { runs.push_back(run); });
  if (hosts_.have_cables()) runs.push_back({hosts_.down(destination)});
}

void Torus::append_shares(HostId source, HostId destination, std::vector<LinkShare>& shares) const {
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  if (follows_dimension_order()) return for_each_link(source, destination, order(), add);
  if (source == destination) return;
  if (hosts_.have_cables()) add(hosts_.up(source), 1);
  append_router_shares(hosts_.router(source), hosts_.router(destination), shares);
  if (hosts_.have_cables()) add(hosts_.down(destination), 1);
}

/// Under the rules that split flows at routers.
void Torus::append_router_shares(int source, int destination,
                                 std::vector<LinkShare>& shares) const {
  if (source == destination) return;
  if (twisted_ && rule() == Routing::ecmp)
    twisted_->append_ecmp(source, destination, shares);
  else if (twisted_)
    twisted_->append_valiant(source, destination, shares);
  else if (rule() == Routing::ecmp)
    EcmpShares(grid_).append(source, destination, shares);
  else
    append_valiant_shares(grid_, source, destination, shares);
}

std::unique_ptr<LinkTraffic> Torus::make_link_traffic() const {
  if (follows_dimension_order())
    return make_walked_traffic(count_links(),
                               [this](HostId source, HostId destination, const auto& add) {
                                 for_each_link(source, destination, order(), add);
                               });
  if (twisted_ && rule() == Routing::ecmp) return Network::make_link_traffic();
  if (twisted_) return make_twisted_valiant_traffic(*twisted_, grid_, hosts_, count_links());
  if (rule() == Routing::ecmp) return make_ecmp_traffic(grid_, hosts_, count_links());
  return make_valiant_traffic(count_links(), grid_, hosts_);
}

void Torus::hops_from(HostId source, std::span<const HostId> destinations,
                      std::span<int> result) const {
  if (twisted_) return Network::hops_from(source, destinations, result);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read, in a hot loop
  std::array<TorusPlace, TorusGrid::max_axes> places;
  grid_.split(hosts_.router(source), places);
  for (std::size_t i = 0; i < destinations.size(); ++i)
    result[i] = grid_.distance(places, hosts_.router(destinations[i])) +
                host_links(source, destinations[i]);
}

double Torus::mean_hops(HostId source, HostId destination) const {
  const int from = hosts_.router(source), to = hosts_.router(destination);
  if (rule() != Routing::valiant || from == to) return hops(source, destination);
  if (twisted_)
    return twisted_->mean_distance(from) + twisted_->mean_distance(to) +
           host_links(source, destination);
  return mean_valiant_distance(grid_, from, to) + host_links(source, destination);
}

BytesPerSecond Torus::injection_bandwidth(HostId host) const {
  if (hosts_.have_cables()) return properties(int_size(spec_.dimensions)).bandwidth;
  BytesPerSecond sum{0};
  for (const TorusAxis& axis : grid_.axes()) {
    const int at = axis.coordinate(number(host));
    const int links = axis.wraps ? 2 : (at > 0 ? 1 : 0) + (at + 1 < axis.size ? 1 : 0);
    sum += properties(axis.dimension).bandwidth * links;
  }
  return sum;
}

std::optional<SimgridCluster> Torus::simgrid_cluster() const {
  auto cluster = plain_cluster("TORUS", torus_description(spec_));
  const auto ones =
      std::count_if(spec_.dimensions.begin(), spec_.dimensions.end(),
                    [](const TorusDimension& dimension) { return dimension.size == 1; });
  if (cluster && ones > 0)
    cluster->difference =
        "SimGrid gives a dimension of size 1 links that vtopo has not, and cannot build two";
  if (cluster && ones > 1)
    cluster->fatal = fmt::format("a torus with {} dimensions of size 1 (\"{}\"); leave them out",
                                 ones, cluster->parameters);
  return cluster;
}

}  // namespace

std::shared_ptr<const Network> make_torus(const TorusSpec& spec) {
  return std::make_shared<Torus>(spec);
}

}  // namespace vtopo::detail
