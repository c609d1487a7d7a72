#include "netmodels/network.hpp"

#include <utility>

#include "topology/base/huge_pages.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Walks the route of every flow, or every link of its share.
class SharedTraffic final : public LinkTraffic {
 public:
  explicit SharedTraffic(const Network& network) : network_(network) {
    const auto num_links = index(network.num_links());
    resize_on_huge_pages(totals_.traffic, num_links);
    resize_on_huge_pages(totals_.flows, num_links);
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    if (network_.splits_flows()) {
      shares_.clear();
      network_.append_shares(source, destination, shares_);
      for (const auto& [link, share] : shares_) count(link, volume * share);
    } else {
      route_.clear();
      network_.append_route(source, destination, route_);
      for (const LinkId link : route_) count(link, volume);
    }
  }

  LinkTotals totals() override { return std::move(totals_); }

 private:
  void count(LinkId link, Bytes volume) {
    totals_.traffic[index(link)] += volume.value;
    ++totals_.flows[index(link)];
  }

  const Network& network_;
  LinkTotals totals_;
  std::vector<LinkId> route_;
  std::vector<LinkShare> shares_;
};

}  // namespace

void Network::append_shares(HostId source, HostId destination,
                            std::vector<LinkShare>& shares) const {
  std::vector<LinkId> route;
  append_route(source, destination, route);
  for (const LinkId link : route) shares.push_back({link, 1});
}

void Network::append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const {
  std::vector<LinkShare> shares;
  append_shares(source, destination, shares);
  for (const auto& [link, share] : shares) runs.push_back({link, 0, 1, share});
}

std::unique_ptr<LinkTraffic> Network::make_link_traffic() const {
  return std::make_unique<SharedTraffic>(*this);
}

std::vector<std::int64_t> Network::distance_profile(std::int64_t) const {
  return {};
}

std::vector<LinkClass> Network::link_classes() const {
  if (num_links() == 0) return {};
  const LinkProperties first = link(LinkId{0});
  return {{"links", num_links(), first.bandwidth, first.latency}};
}

}  // namespace vtopo
