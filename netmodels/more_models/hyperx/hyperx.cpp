#include "netmodels/more_models/hyperx/hyperx.hpp"

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/more_models/hyperx/facts.hpp"
#include "netmodels/more_models/hyperx/grid.hpp"
#include "netmodels/more_models/hyperx/split_routes.hpp"
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

  LinkProperties link(LinkId link) const override {
    return rates_[static_cast<std::size_t>(class_of(link))];
  }
  std::string link_name(LinkId link) const override;
  std::optional<LinkEnds> link_ends(LinkId link) const override;
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override;
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override;
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    if (!splits())
      return make_walked_traffic(grid_.num_links(),
                                 [this](HostId source, HostId destination, const auto& sink) {
                                   for_each_link(source, destination, sink);
                                 });
    if (rule() == Routing::valiant) return make_hyperx_valiant_traffic(grid_);
    return Network::make_link_traffic();
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return grid_.distance(grid_.router(source), grid_.router(destination)) + cable_hops();
  }
  double mean_hops(HostId source, HostId destination) const override {
    if (rule() != Routing::valiant || grid_.router(source) == grid_.router(destination))
      return hops(source, destination);
    return mean_hyperx_valiant_hops(grid_) + cable_hops();
  }
  std::string vertex_name(int vertex) const override {
    const int hosts = grid_.num_hosts();
    return vertex < hosts ? host_name(HostId{vertex}) : fmt::format("router {}", vertex - hosts);
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = modelled_facts(grid_.num_hosts(), grid_.num_links(), {}, rule(), splits());
    facts.computes_runs = !splits();
    facts.link_class = [this](LinkId link) { return class_of(link); };
    add_hyperx_facts(spec_, grid_, rates_, facts);
    return facts;
  }

  Routing rule() const { return spec_.routing.rule; }
  bool splits() const { return rule() != Routing::simgrid; }
  int class_of(LinkId link) const {
    return grid_.is_cable(link) ? int_size(spec_.dimensions) : grid_.axis_of(link).dimension;
  }
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
  return fmt::format("d{}:{}{}->{}{}", class_of(link), router, from, router, to);
}

std::optional<LinkEnds> HyperX::link_ends(LinkId link) const {
  const int first_router = grid_.have_cables() ? grid_.num_hosts() : 0;
  if (grid_.is_cable(link)) {
    const HostId host = grid_.host_of(link);
    const LinkEnds up{number(host), first_router + grid_.router(host)};
    return link == grid_.up(host) ? up : LinkEnds{up.to, up.from};
  }
  const auto [from, to] = grid_.ends(link);
  return LinkEnds{first_router + from, first_router + to};
}

void HyperX::append_route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
}

void HyperX::append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const {
  if (splits()) return Network::append_runs(source, destination, runs);
  for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
}

void HyperX::append_shares(HostId source, HostId destination,
                           std::vector<LinkShare>& shares) const {
  if (!splits())
    return for_each_link(source, destination, [&](LinkId link) { shares.push_back({link, 1}); });
  if (source == destination) return;
  const int from = grid_.router(source), to = grid_.router(destination);
  if (grid_.have_cables()) shares.push_back({grid_.up(source), 1});
  if (rule() == Routing::ecmp)
    append_hyperx_ecmp(grid_, from, to, shares);
  else
    append_hyperx_valiant(grid_, from, to, shares);
  if (grid_.have_cables()) shares.push_back({grid_.down(destination), 1});
}

}  // namespace

std::shared_ptr<const Network> make_hyperx(const HyperXSpec& spec) {
  return std::make_shared<HyperX>(spec);
}

}  // namespace vtopo::detail
