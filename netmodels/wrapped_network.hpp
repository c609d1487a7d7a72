#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A network that routes as another one does; children change what is different.
class WrappedNetwork : public Network {
 public:
  explicit WrappedNetwork(std::shared_ptr<const Network> base) : base_(std::move(base)) {}

  LinkProperties link(LinkId link) const override { return base_->link(link); }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return base_->link_ends(link); }
  std::string link_name(LinkId link) const override { return base_->link_name(link); }
  std::string host_name(HostId host) const override { return base_->host_name(host); }
  std::string vertex_name(int vertex) const override { return base_->vertex_name(vertex); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    base_->append_route(source, destination, links);
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    base_->append_shares(source, destination, shares);
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return base_->make_link_traffic();
  }
  int hops(HostId source, HostId destination) const override {
    return base_->hops(source, destination);
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    base_->hops_from(source, destinations, result);
  }
  double mean_hops(HostId source, HostId destination) const override {
    return base_->mean_hops(source, destination);
  }

 protected:
  /// Those of the other network, without what it offers to make other networks of it.
  NetworkFacts make_facts() const override {
    NetworkFacts facts = base_->facts();
    facts.computes_runs = false;
    facts.simgrid_cluster.reset();
    facts.planes = {};
    facts.routed = nullptr;
    return facts;
  }

  const std::shared_ptr<const Network>& base() const { return base_; }

 private:
  std::shared_ptr<const Network> base_;
};

}  // namespace vtopo::detail
