#include "netmodels/more_models/dragonfly_plus/dragonfly_plus.hpp"

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/more_models/dragonfly_plus/cells.hpp"
#include "netmodels/more_models/dragonfly_plus/facts.hpp"
#include "netmodels/more_models/dragonfly_plus/split_routes.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

void check_plus_routing(const RoutingOptions& routing) {
  if (routing.rule != Routing::positive && routing.rule != Routing::split) return;
  throw UsageError(fmt::format(
      "routing \"{}\" decides ties on the rings of a torus, and a dragonfly-plus has none; "
      "accepted "
      "for a dragonfly-plus: simgrid (one route, by destination), ecmp (all shortest routes), "
      "valiant",
      to_string(routing.rule)));
}

class DragonflyPlus final : public ModelledNetwork {
 public:
  explicit DragonflyPlus(const DragonflyPlusSpec& spec)
      : ModelledNetwork(spec.defaults), spec_(spec), cells_(spec) {
    check_plus_routing(spec.routing);
    for (const LinkRates& rates : {spec.host_rates, spec.local_rates, spec.global_rates})
      rates_.push_back(link_properties(rates, spec.defaults));
  }

  LinkProperties link(LinkId link) const override { return rates(cells_.kind(link)); }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = cells_.ends(link);
    std::string name = vertex_name(from) + "->" + vertex_name(to);
    if (cells_.links() > cells_.spines() && cells_.kind(link) == DragonflyPlusLinks::global)
      name += fmt::format("#{}", cells_.link_of(link));
    return name;
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return cells_.ends(link); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    cells_.for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    if (splits()) return Network::append_runs(source, destination, runs);
    cells_.for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    if (splits()) return Network::make_link_traffic();
    return make_walked_traffic(cells_.num_links(),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 cells_.for_each_link(source, destination, sink);
                               });
  }

  int hops(HostId source, HostId destination) const override {
    return cells_.hops(source, destination);
  }
  double mean_hops(HostId source, HostId destination) const override {
    const int from = cells_.leaf(source), to = cells_.leaf(destination);
    if (rule() != Routing::valiant || from == to) return hops(source, destination);
    return mean_dragonfly_plus_valiant_hops(cells_, from, to);
  }
  std::string vertex_name(int vertex) const override;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts =
        modelled_facts(cells_.num_hosts(), cells_.num_links(), {}, rule(), splits());
    facts.computes_runs = !splits();
    add_dragonfly_plus_facts(spec_, cells_, rates_, facts);
    return facts;
  }

  Routing rule() const { return spec_.routing.rule; }
  bool splits() const { return rule() != Routing::simgrid; }
  const LinkProperties& rates(DragonflyPlusLinks kind) const {
    return rates_[static_cast<std::size_t>(kind)];
  }

  DragonflyPlusSpec spec_;
  DragonflyPlusCells cells_;
  std::vector<LinkProperties> rates_;  ///< of the links of hosts, leaves and cells
};

void DragonflyPlus::append_shares(HostId source, HostId destination,
                                  std::vector<LinkShare>& shares) const {
  const int from = cells_.leaf(source), to = cells_.leaf(destination);
  if (!splits() || from == to)
    return cells_.for_each_link(source, destination, [&](LinkId link) {
      shares.push_back({link, 1});
    });
  shares.push_back({cells_.up(source), 1});
  if (rule() == Routing::ecmp)
    append_dragonfly_plus_ecmp(cells_, from, to, shares);
  else
    append_dragonfly_plus_valiant(cells_, from, to, shares);
  shares.push_back({cells_.down(destination), 1});
}

std::string DragonflyPlus::vertex_name(int vertex) const {
  if (vertex < cells_.num_hosts()) return host_name(HostId{vertex});
  const int cell = cells_.cell_of_switch(vertex), place = vertex - cells_.first_vertex(cell);
  if (place < cells_.spines()) return fmt::format("spine{}.{}", cell, place);
  return fmt::format("leaf{}.{}", cell, place - cells_.spines());
}

}  // namespace

std::shared_ptr<const Network> make_dragonfly_plus(const DragonflyPlusSpec& spec) {
  return std::make_shared<DragonflyPlus>(spec);
}

}  // namespace vtopo::detail
