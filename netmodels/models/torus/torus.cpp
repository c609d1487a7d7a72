#include "netmodels/models/torus/torus.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "netmodels/link_rates.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/models/torus/answers.hpp"
#include "netmodels/models/torus/description.hpp"
#include "netmodels/models/torus/dimension_order.hpp"
#include "netmodels/models/torus/ecmp.hpp"
#include "netmodels/models/torus/grid.hpp"
#include "netmodels/models/torus/traffic.hpp"
#include "netmodels/models/torus/twisted.hpp"
#include "netmodels/models/torus/valiant.hpp"
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

  int num_hosts() const override { return grid_.num_routers() * hosts_.per_router; }
  int num_links() const override {
    return hosts_.first_link + (hosts_.have_cables() ? 2 * num_hosts() : 0);
  }
  LinkProperties link(LinkId link) const override { return properties(link_class(link)); }
  std::string link_name(LinkId link) const override;
  std::optional<LinkEnds> link_ends(LinkId link) const override;
  std::vector<LinkClass> link_classes() const override;
  int link_class(LinkId link) const override {
    return is_host_link(link) ? int_size(spec_.dimensions) : grid_.axis_of(link).dimension;
  }

  Routing routing() const override { return spec_.routing.rule; }
  bool splits_flows() const override {
    return routing() == Routing::split || !follows_dimension_order();
  }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override;
  bool computes_runs() const override { return !twisted_ && follows_dimension_order(); }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override;

  int hops(HostId source, HostId destination) const override {
    return distance(hosts_.router(source), hosts_.router(destination)) +
           host_links(source, destination);
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override;
  double mean_hops(HostId source, HostId destination) const override;
  int diameter() const override {
    return (twisted_ ? twisted_->diameter() : grid_.diameter()) + (hosts_.have_cables() ? 2 : 0);
  }

  BytesPerSecond injection_bandwidth(HostId host) const override;
  /// Of a twisted torus none: its routers are nearer than the places in the grid say.
  std::optional<HostCoordinates> coordinates() const override {
    if (twisted_) return std::nullopt;
    HostCoordinates coordinates{{}, spec_.hosts_per_router};
    for (const TorusDimension& dimension : spec_.dimensions)
      coordinates.axes.push_back(
          {dimension.size, dimension.wraps ? AxisKind::ring : AxisKind::path});
    return coordinates;
  }
  HopMetric hop_metric() const override {
    constexpr int max_in_table = 255;
    if (!twisted_) return GridMetric{*coordinates(), hosts_.have_cables() ? 2 : 0};
    return diameter() <= max_in_table ? HopMetric{RouterMetric{hosts_.per_router}} : HopMetric{};
  }
  std::vector<HostParts> parts() const override { return {torus_planes(spec_, num_hosts())}; }
  std::vector<VertexCells> cuts() const override { return torus_cuts(spec_, num_hosts()); }
  std::optional<HostSites> sites() const override {
    return HostSites{spec_.hosts_per_router,
                     twisted_ ? std::vector<NetworkAxis>{} : coordinates()->axes};
  }
  std::vector<std::int64_t> distance_profile(std::int64_t count) const override {
    if (!twisted_) return torus_distance_profile(spec_, count);
    TorusSpec others = spec_;
    others.dimensions = {spec_.dimensions.begin() + 1, spec_.dimensions.end() - 1};
    return torus_distance_profile(others, count, twisted_->plane_profile());
  }
  std::optional<Bisection> bisection() const override { return torus_bisection(spec_); }
  std::optional<NetworkLayout> layout() const override { return torus_picture(spec_, num_hosts()); }
  std::string vertex_name(int vertex) const override {
    return vertex < num_hosts() ? host_name(HostId{vertex})
                                : fmt::format("router {}", vertex - num_hosts());
  }
  std::optional<SimgridCluster> simgrid_cluster() const override;
  std::string description() const override { return describe(spec_); }

 private:
  bool is_host_link(LinkId link) const { return number(link) >= hosts_.first_link; }
  HostId host_of(LinkId link) const { return HostId{(number(link) - hosts_.first_link) / 2}; }
  int host_links(HostId source, HostId destination) const {
    return hosts_.have_cables() && source != destination ? 2 : 0;
  }
  bool follows_dimension_order() const {
    return routing() != Routing::ecmp && routing() != Routing::valiant;
  }
  DimensionOrder rule() const { return {ties_, routing() == Routing::split}; }
  const LinkProperties& properties(int link_class) const {
    return rates_[static_cast<std::size_t>(link_class)];
  }
  int distance(int source, int destination) const {
    return twisted_ ? twisted_->distance(source, destination) : grid_.distance(source, destination);
  }
  void twist_routes();
  void append_router_shares(int source, int destination, std::vector<LinkShare>& shares) const;

  TorusSpec spec_;
  TorusGrid grid_;
  TorusHosts hosts_;
  RingTies ties_;
  std::vector<LinkProperties> rates_;  ///< of each dimension, then of the hosts' cables
  std::optional<TwistedRoutes> twisted_;
};

void Torus::twist_routes() {
  if (routing() == Routing::positive || routing() == Routing::split)
    throw UsageError(fmt::format(
        "routing \"{}\" decides ties on the rings of a torus, of which a twist makes other cycles; "
        "accepted for a twisted torus: simgrid and auto (one shortest route), ecmp (all shortest "
        "routes), valiant",
        to_string(routing())));
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
  return fmt::format("d{}{}:{}{}->{}{}", link_class(link), forth ? '+' : '-', router, from, router,
                     to);
}

std::optional<LinkEnds> Torus::link_ends(LinkId link) const {
  const int first_router = hosts_.have_cables() ? num_hosts() : 0;
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
    classes.push_back({"hosts", 2 * std::int64_t{num_hosts()}, cable.bandwidth, cable.latency});
  }
  return classes;
}

void Torus::append_route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  if (source == destination) return;
  const int from = hosts_.router(source), to = hosts_.router(destination);
  if (hosts_.have_cables()) links.push_back(hosts_.up(source));
  if (twisted_)
    twisted_->for_each_link(from, to, [&](LinkId link) { links.push_back(link); });
  else
    DimensionOrder{rule().ties}.for_each_run(grid_, from, to, [&](const LinkRun& run) {
      for (int i = 0; i < run.count; ++i) links.push_back(LinkId{number(run.first) + i * run.step});
    });
  if (hosts_.have_cables()) links.push_back(hosts_.down(destination));
}

void Torus::append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const {
  if (!computes_runs()) return Network::append_runs(source, destination, runs);
  if (source == destination) return;
  if (hosts_.have_cables()) runs.push_back({hosts_.up(source)});
  rule().for_each_run(grid_, hosts_.router(source), hosts_.router(destination),
                      [&](const LinkRun& run) { runs.push_back(run); });
  if (hosts_.have_cables()) runs.push_back({hosts_.down(destination)});
}

void Torus::append_shares(HostId source, HostId destination, std::vector<LinkShare>& shares) const {
  if (source == destination) return;
  if (hosts_.have_cables()) shares.push_back({hosts_.up(source), 1});
  append_router_shares(hosts_.router(source), hosts_.router(destination), shares);
  if (hosts_.have_cables()) shares.push_back({hosts_.down(destination), 1});
}

void Torus::append_router_shares(int source, int destination,
                                 std::vector<LinkShare>& shares) const {
  if (source == destination) return;
  if (twisted_ && routing() == Routing::ecmp)
    twisted_->append_ecmp(source, destination, shares);
  else if (twisted_ && routing() == Routing::valiant)
    twisted_->append_valiant(source, destination, shares);
  else if (twisted_)
    twisted_->for_each_link(source, destination, [&](LinkId link) { shares.push_back({link, 1}); });
  else if (routing() == Routing::ecmp)
    EcmpShares(grid_).append(source, destination, shares);
  else if (routing() == Routing::valiant)
    append_valiant_shares(grid_, source, destination, shares);
  else
    rule().for_each_run(grid_, source, destination, [&](const LinkRun& run) {
      for (int i = 0; i < run.count; ++i)
        shares.push_back({LinkId{number(run.first) + i * run.step}, run.share});
    });
}

std::unique_ptr<LinkTraffic> Torus::make_link_traffic() const {
  if (twisted_ && routing() == Routing::ecmp) return Network::make_link_traffic();
  if (twisted_)
    return make_twisted_traffic(*twisted_, grid_, hosts_, num_links(),
                                routing() == Routing::valiant);
  if (routing() == Routing::ecmp) return make_ecmp_traffic(grid_, hosts_, num_links());
  if (routing() == Routing::valiant) return make_valiant_traffic(*this, grid_, hosts_);
  return make_ring_traffic(*this, grid_, hosts_, rule());
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
  if (routing() != Routing::valiant || from == to) return hops(source, destination);
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
  auto cluster = plain_cluster("TORUS", description());
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
