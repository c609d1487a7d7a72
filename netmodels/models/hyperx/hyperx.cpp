#include "netmodels/models/hyperx/hyperx.hpp"

#include "netmodels/link_rates.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/hyperx/answers.hpp"
#include "netmodels/models/hyperx/grid.hpp"
#include "netmodels/models/hyperx/split_routes.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

void check_routing(const RoutingOptions& routing) {
  if (routing.rule != Routing::positive && routing.rule != Routing::split) return;
  throw UsageError(
      fmt::format("routing \"{}\" decides ties on the rings of a torus, and a hyperx has none; "
                  "accepted for a hyperx: simgrid (one route, dimension order), ecmp (all shortest "
                  "routes), valiant",
                  to_string(routing.rule)));
}

/// Of each dimension, then of the hosts' cables.
std::vector<LinkProperties> hyperx_rates(const HyperXSpec& spec) {
  std::vector<LinkProperties> rates;
  for (const HyperXDimension& dimension : spec.dimensions) {
    rates.push_back(link_properties(dimension.rates, spec.defaults));
    rates.back().bandwidth = rates.back().bandwidth * dimension.links;
  }
  rates.push_back(link_properties(spec.host_rates, spec.defaults));
  return rates;
}

class HyperX final : public ModelledNetwork {
 public:
  explicit HyperX(const HyperXSpec& spec)
      : ModelledNetwork(spec.defaults), spec_(spec), grid_(spec), rates_(hyperx_rates(spec)) {
    check_routing(spec.routing);
  }

  int num_hosts() const override { return grid_.num_hosts(); }
  int num_links() const override { return grid_.num_links(); }
  LinkProperties link(LinkId link) const override {
    return rates_[static_cast<std::size_t>(link_class(link))];
  }
  std::string link_name(LinkId link) const override;
  std::optional<LinkEnds> link_ends(LinkId link) const override;
  std::vector<LinkClass> link_classes() const override;
  int link_class(LinkId link) const override {
    return grid_.is_cable(link) ? int_size(spec_.dimensions) : grid_.axis_of(link).dimension;
  }

  Routing routing() const override { return spec_.routing.rule; }
  bool splits_flows() const override { return routing() != Routing::simgrid; }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override;
  bool computes_runs() const override { return !splits_flows(); }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    if (!splits_flows())
      return make_walked_traffic(num_links(),
                                 [this](HostId source, HostId destination, const auto& sink) {
                                   for_each_link(source, destination, sink);
                                 });
    if (routing() == Routing::valiant) return make_hyperx_valiant_traffic(grid_);
    return Network::make_link_traffic();
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return grid_.distance(grid_.router(source), grid_.router(destination)) + cable_hops();
  }
  double mean_hops(HostId source, HostId destination) const override {
    if (routing() != Routing::valiant || grid_.router(source) == grid_.router(destination))
      return hops(source, destination);
    return mean_hyperx_valiant_hops(grid_) + cable_hops();
  }
  int diameter() const override { return int_size(grid_.axes()) + cable_hops(); }
  BytesPerSecond injection_bandwidth(HostId host) const override;

  std::optional<HostCoordinates> coordinates() const override { return hyperx_coordinates(spec_); }
  HopMetric hop_metric() const override {
    return GridMetric{hyperx_coordinates(spec_), cable_hops()};
  }
  std::vector<HostParts> parts() const override { return {hyperx_planes(spec_, num_hosts())}; }
  std::vector<VertexCells> cuts() const override { return hyperx_cuts(grid_); }
  std::optional<HostSites> sites() const override {
    return HostSites{spec_.hosts_per_router, hyperx_coordinates(spec_).axes};
  }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override {
    return hyperx_distance_profile(grid_);
  }
  std::optional<Bisection> bisection() const override { return hyperx_bisection(grid_, rates_); }
  std::optional<NetworkLayout> layout() const override {
    return hyperx_picture(spec_, num_hosts());
  }
  std::string vertex_name(int vertex) const override {
    return vertex < num_hosts() ? host_name(HostId{vertex})
                                : fmt::format("router {}", vertex - num_hosts());
  }

  std::string description() const override { return hyperx_description(spec_); }

 private:
  int cable_hops() const { return grid_.have_cables() ? 2 : 0; }

  /// Calls `visit(link)` for the links of the route in dimension order.
  template <class Visit>
  void for_each_link(HostId source, HostId destination, Visit visit) const {
    if (source == destination) return;
    if (grid_.have_cables()) visit(grid_.up(source));
    grid_.for_each_step(grid_.router(source), grid_.router(destination),
                        [&](const HyperXAxis& axis, int here, int from, int to) {
                          visit(axis.link(here, from, to));
                        });
    if (grid_.have_cables()) visit(grid_.down(destination));
  }

  HyperXSpec spec_;
  HyperXGrid grid_;
  std::vector<LinkProperties> rates_;
};

std::string HyperX::link_name(LinkId link) const {
  if (grid_.is_cable(link)) {
    const int host = number(grid_.host_of(link)), router = grid_.router(grid_.host_of(link));
    return link == grid_.up(HostId{host}) ? fmt::format("host-{}->r{}", host, router)
                                          : fmt::format("r{}->host-{}", router, host);
  }
  const auto [from, to] = grid_.ends(link);
  const char* router = grid_.have_cables() ? "r" : "";
  return fmt::format("d{}:{}{}->{}{}", link_class(link), router, from, router, to);
}

std::optional<LinkEnds> HyperX::link_ends(LinkId link) const {
  const int first_router = grid_.have_cables() ? num_hosts() : 0;
  if (grid_.is_cable(link)) {
    const HostId host = grid_.host_of(link);
    const LinkEnds up{number(host), first_router + grid_.router(host)};
    return link == grid_.up(host) ? up : LinkEnds{up.to, up.from};
  }
  const auto [from, to] = grid_.ends(link);
  return LinkEnds{first_router + from, first_router + to};
}

std::vector<LinkClass> HyperX::link_classes() const {
  std::vector<LinkClass> classes;
  for (std::size_t d = 0; d < spec_.dimensions.size(); ++d)
    classes.push_back({fmt::format("dimension {}", d), 0, rates_[d].bandwidth, rates_[d].latency});
  for (const HyperXAxis& axis : grid_.axes())
    classes[static_cast<std::size_t>(axis.dimension)].links = axis.num_links();
  if (grid_.have_cables())
    classes.push_back(
        {"hosts", 2 * std::int64_t{num_hosts()}, rates_.back().bandwidth, rates_.back().latency});
  return classes;
}

void HyperX::append_route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
}

void HyperX::append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const {
  if (splits_flows()) return Network::append_runs(source, destination, runs);
  for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
}

void HyperX::append_shares(HostId source, HostId destination,
                           std::vector<LinkShare>& shares) const {
  if (!splits_flows())
    return for_each_link(source, destination, [&](LinkId link) { shares.push_back({link, 1}); });
  if (source == destination) return;
  const int from = grid_.router(source), to = grid_.router(destination);
  if (grid_.have_cables()) shares.push_back({grid_.up(source), 1});
  if (routing() == Routing::ecmp)
    append_hyperx_ecmp(grid_, from, to, shares);
  else
    append_hyperx_valiant(grid_, from, to, shares);
  if (grid_.have_cables()) shares.push_back({grid_.down(destination), 1});
}

BytesPerSecond HyperX::injection_bandwidth(HostId) const {
  if (grid_.have_cables()) return rates_.back().bandwidth;
  BytesPerSecond sum{0};
  for (const HyperXAxis& axis : grid_.axes())
    sum += rates_[static_cast<std::size_t>(axis.dimension)].bandwidth * (axis.size - 1);
  return sum;
}

}  // namespace

std::shared_ptr<const Network> make_hyperx(const HyperXSpec& spec) {
  return std::make_shared<HyperX>(spec);
}

}  // namespace vtopo::detail
