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

 protected:
  /// Without distances and kinds of links: tests change routes and links.
  NetworkFacts make_facts() const override {
    const NetworkFacts& known = base_->facts();
    NetworkFacts facts;
    facts.num_hosts = known.num_hosts;
    facts.num_links = known.num_links;
    facts.description = known.description;
    facts.simgrid_cluster = known.simgrid_cluster;
    facts.diameter = known.diameter;
    facts.injection_bandwidth = known.injection_bandwidth;
    return facts;
  }

 private:
  std::shared_ptr<const Network> base_;
};

}  // namespace vtopo::tests
