#include "netmodels/endpoints/endpoint_traffic.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace vtopo::detail {

namespace {

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

}  // namespace

std::unique_ptr<LinkTraffic> make_endpoint_traffic(const Network& inner, const EndpointIds& ids,
                                                   const Interfaces& interfaces) {
  return std::make_unique<EndpointTraffic>(inner, ids, interfaces);
}

}  // namespace vtopo::detail
