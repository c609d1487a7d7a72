#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::tests {

/// A network that does as another one does; tests override what they want to be different.
class ChangedNetwork : public Network {
 public:
  explicit ChangedNetwork(std::shared_ptr<const Network> base) : base_(std::move(base)) {}

  int num_hosts() const override { return base_->num_hosts(); }
  int num_links() const override { return base_->num_links(); }
  LinkProperties link(LinkId link) const override { return base_->link(link); }
  std::string link_name(LinkId link) const override { return base_->link_name(link); }
  std::string host_name(HostId host) const override { return base_->host_name(host); }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return base_->link_ends(link); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    base_->append_route(source, destination, links);
  }
  int hops(HostId source, HostId destination) const override {
    return base_->hops(source, destination);
  }
  int diameter() const override { return base_->diameter(); }
  BytesPerSecond injection_bandwidth(HostId host) const override {
    return base_->injection_bandwidth(host);
  }
  std::string description() const override { return base_->description(); }
  std::optional<SimgridCluster> simgrid_cluster() const override {
    return base_->simgrid_cluster();
  }

 private:
  std::shared_ptr<const Network> base_;
};

}  // namespace vtopo::tests
