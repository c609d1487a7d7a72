#include "netmodels/endpoints/endpoint_traffic.hpp"

#include <algorithm>
#include <array>

namespace vtopo::detail {

namespace {

class EndpointTraffic final : public LinkTraffic {
 public:
  EndpointTraffic(const Network& inner, const EndpointIds& ids, const Interfaces& interfaces)
      : ids_(ids), interfaces_(interfaces), inner_(inner.make_link_traffic()) {
    first_ = index(inner.num_links());
    own_.traffic.resize(index(ids.num_links()) - first_);
    own_.flows.resize(own_.traffic.size());
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    if (add_outside(source, destination, volume))
      inner_->add(HostId{ids_.node_of(source)}, HostId{ids_.node_of(destination)}, volume);
  }

  void add_from(HostId source, std::span<const OutFlow> flows) override {
    constexpr std::size_t at_once = 32;
    std::array<OutFlow, at_once> leaving;
    while (!flows.empty()) {
      const auto some = flows.first(std::min(flows.size(), at_once));
      std::size_t count = 0;
      for (const auto& [destination, volume] : some)
        if (add_outside(source, destination, volume))
          leaving[count++] = {HostId{ids_.node_of(destination)}, volume};
      if (count > 0)
        inner_->add_from(HostId{ids_.node_of(source)}, std::span(leaving).first(count));
      flows = flows.subspan(some.size());
    }
  }

  LinkTotals totals() override {
    LinkTotals totals = inner_->totals();
    totals.traffic.resize(first_);
    totals.flows.resize(first_);
    totals.traffic.insert(totals.traffic.end(), own_.traffic.begin(), own_.traffic.end());
    totals.flows.insert(totals.flows.end(), own_.flows.begin(), own_.flows.end());
    return totals;
  }

 private:
  /// The links of endpoints; whether the flow takes the inner network.
  bool add_outside(HostId source, HostId destination, Bytes volume) {
    const bool leaves = ids_.node_of(source) != ids_.node_of(destination);
    const int levels = leaves ? ids_.num_levels() : ids_.meeting_level(source, destination);
    for (int level = 1; level <= levels; ++level) {
      count(ids_.up(level, source), volume);
      count(ids_.down(level, destination), volume);
    }
    if (leaves && ids_.interfaces() > 0) {
      count(interfaces_.out(source, destination), volume);
      count(interfaces_.in(destination), volume);
    }
    return leaves;
  }

  void count(LinkId link, Bytes volume) {
    own_.traffic[index(link) - first_] += volume.value;
    ++own_.flows[index(link) - first_];
  }

  const EndpointIds& ids_;
  const Interfaces& interfaces_;
  std::unique_ptr<LinkTraffic> inner_;
  std::size_t first_ = 0;  ///< link that is not one of the inner network
  LinkTotals own_;         ///< of the others
};

}  // namespace

std::unique_ptr<LinkTraffic> make_endpoint_traffic(const Network& inner, const EndpointIds& ids,
                                                   const Interfaces& interfaces) {
  return std::make_unique<EndpointTraffic>(inner, ids, interfaces);
}

}  // namespace vtopo::detail
