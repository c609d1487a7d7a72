#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A network that answers as another one does; children change what is different.
class WrappedNetwork : public Network {
 public:
  explicit WrappedNetwork(std::shared_ptr<const Network> base) : base_(std::move(base)) {}

  int num_hosts() const override { return base_->num_hosts(); }
  int num_links() const override { return base_->num_links(); }
  LinkProperties link(LinkId link) const override { return base_->link(link); }
  std::string link_name(LinkId link) const override { return base_->link_name(link); }
  std::string host_name(HostId host) const override { return base_->host_name(host); }
  HostPlace host_place(HostId host) const override { return base_->host_place(host); }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return base_->link_ends(link); }
  std::optional<LinkEnds> link_sides(LinkId link) const override { return base_->link_sides(link); }
  bool routes_pass_hosts() const override { return base_->routes_pass_hosts(); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    base_->append_route(source, destination, links);
  }
  Routing routing() const override { return base_->routing(); }
  bool splits_flows() const override { return base_->splits_flows(); }
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
  Seconds flow_latency(HostId source, HostId destination) const override {
    return base_->flow_latency(source, destination);
  }
  int diameter() const override { return base_->diameter(); }
  BytesPerSecond injection_bandwidth(HostId host) const override {
    return base_->injection_bandwidth(host);
  }
  bool is_up(HostId host) const override { return base_->is_up(host); }
  bool link_is_up(LinkId link) const override { return base_->link_is_up(link); }
  std::optional<HostCoordinates> coordinates() const override { return base_->coordinates(); }
  std::vector<HostGroups> hierarchy() const override { return base_->hierarchy(); }
  HopMetric hop_metric() const override { return base_->hop_metric(); }
  const NetworkDefaults* description_defaults() const override {
    return base_->description_defaults();
  }
  std::vector<HostParts> parts() const override { return base_->parts(); }
  std::vector<VertexCells> cuts() const override { return base_->cuts(); }
  std::optional<HostSites> sites() const override { return base_->sites(); }
  std::vector<std::int64_t> distance_profile(std::int64_t count) const override {
    return base_->distance_profile(count);
  }
  std::optional<Bisection> bisection() const override { return base_->bisection(); }
  std::optional<NetworkLayout> layout() const override { return base_->layout(); }
  std::string vertex_name(int vertex) const override { return base_->vertex_name(vertex); }
  std::vector<LinkClass> link_classes() const override { return base_->link_classes(); }
  int link_class(LinkId link) const override { return base_->link_class(link); }
  std::string description() const override { return base_->description(); }

 protected:
  const std::shared_ptr<const Network>& base() const { return base_; }

 private:
  std::shared_ptr<const Network> base_;
};

}  // namespace vtopo::detail
