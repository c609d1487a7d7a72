#include "netmodels/network.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/huge_pages.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Walks the route of every flow, or where flows split every link of their shares, once for all
/// flows of a pair of hosts.
class SharedTraffic final : public LinkTraffic {
 public:
  explicit SharedTraffic(const Network& network) : network_(network) {
    const auto num_links = index(network.num_links());
    resize_on_huge_pages(totals_.traffic, num_links);
    resize_on_huge_pages(totals_.flows, num_links);
    if (network.splits_flows()) waiting_.reserve(max_waiting);
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    if (network_.splits_flows()) {
      waiting_.push_back({source, destination, volume});
      if (waiting_.size() == max_waiting) split_waiting();
      return;
    }
    route_.clear();
    network_.append_route(source, destination, route_);
    for (const LinkId link : route_) count(link, volume, 1);
  }

  LinkTotals totals() override {
    split_waiting();
    return std::move(totals_);
  }

 private:
  static constexpr std::size_t max_waiting = std::size_t{1} << 16;

  void count(LinkId link, Bytes volume, int flows) {
    totals_.traffic[index(link)] += volume.value;
    totals_.flows[index(link)] += flows;
  }

  void split_waiting() {
    const auto ends = [](const HostFlow& flow) { return std::pair(flow.source, flow.destination); };
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [&](const HostFlow& a, const HostFlow& b) { return ends(a) < ends(b); });
    for (auto next = waiting_.begin(); next != waiting_.end();) {
      const HostFlow pair = *next;
      Bytes volume{0};
      int flows = 0;
      for (; next != waiting_.end() && ends(*next) == ends(pair); ++next, ++flows)
        volume += next->volume;
      shares_.clear();
      network_.append_shares(pair.source, pair.destination, shares_);
      for (const auto& [link, share] : shares_) count(link, volume * share, flows);
    }
    waiting_.clear();
  }

  const Network& network_;
  LinkTotals totals_;
  std::vector<LinkId> route_;
  std::vector<LinkShare> shares_;
  std::vector<HostFlow> waiting_;  ///< that split
};

}  // namespace

Network::~Network() {
  delete facts_.load();
}

std::string Network::host_name(HostId host) const {
  return "host-" + std::to_string(number(host));
}

std::string Network::vertex_name(int vertex) const {
  return vertex < num_hosts() ? host_name(HostId{vertex})
                              : "s" + std::to_string(vertex - num_hosts());
}

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

void Network::hops_from(HostId source, std::span<const HostId> destinations,
                        std::span<int> result) const {
  for (std::size_t i = 0; i < destinations.size(); ++i) result[i] = hops(source, destinations[i]);
}

HostPlace Network::host_place(HostId host) const {
  return facts().host_place ? facts().host_place(host) : HostPlace{host_name(host), std::nullopt};
}

std::optional<LinkEnds> Network::link_sides(LinkId link) const {
  return facts().link_sides ? facts().link_sides(link) : link_ends(link);
}

const NetworkFacts& Network::keep_facts() const {
  auto made = std::make_unique<NetworkFacts>(make_facts());
  if (made->link_classes.empty() && made->num_links > 0) {
    const LinkProperties first = link(LinkId{0});
    made->link_classes = {{"links", made->num_links, first.bandwidth, first.latency}};
  }
  const NetworkFacts* known = nullptr;
  if (facts_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *known;
}

std::optional<SimgridCluster> plain_cluster(std::string_view topology, std::string_view spec) {
  std::string parameters(spec.substr(spec.find(':') + 1));
  std::replace(parameters.begin(), parameters.end(), 'x', ',');
  if (parameters.find_first_not_of("0123456789,;") != std::string::npos) return std::nullopt;
  return SimgridCluster{std::string(topology), parameters};
}

}  // namespace vtopo
