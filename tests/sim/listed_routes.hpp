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

  int num_hosts() const override { return 2 * static_cast<int>(routes_.size()); }
  int num_links() const override { return base_.num_links(); }
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
  int diameter() const override { return 0; }
  BytesPerSecond injection_bandwidth(HostId) const override { return {1}; }
  std::string description() const override { return "listed routes"; }

 private:
  const Network& base_;
  std::vector<std::vector<LinkId>> routes_;
  int times_;
};

}  // namespace vtopo
