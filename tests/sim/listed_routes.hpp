#pragma once

#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// The links of a network between hosts 2i and 2i+1 by a listed route, in which a link may appear
/// several times: each time costs a flow the link's bandwidth once, and latency / `times`.
class ListedRoutes final : public Network {
 public:
  ListedRoutes(const Network& base, std::vector<std::vector<LinkId>> routes, int times = 1)
      : base_(base), routes_(std::move(routes)), times_(times) {}

  LinkProperties link(LinkId link) const override {
    LinkProperties properties = base_.link(link);
    properties.latency = properties.latency * (1.0 / times_);
    return properties;
  }
  std::string link_name(LinkId link) const override { return base_.link_name(link); }
  std::optional<LinkEnds> link_ends(LinkId) const override { return std::nullopt; }
  void append_route(HostId source, HostId, std::vector<LinkId>& links) const override {
    const auto& route = routes_[index(source) / 2];
    links.insert(links.end(), route.begin(), route.end());
  }
  int hops(HostId source, HostId) const override {
    return static_cast<int>(routes_[index(source) / 2].size());
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = 2 * static_cast<int>(routes_.size());
    facts.num_links = base_.num_links();
    facts.description = "listed routes";
    facts.injection_bandwidth = [](HostId) { return BytesPerSecond{1}; };
    return facts;
  }

  const Network& base_;
  std::vector<std::vector<LinkId>> routes_;
  int times_;
};

}  // namespace vtopo
