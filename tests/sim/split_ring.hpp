#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "netmodels/network.hpp"

namespace vtopo {

/// How flows split on a `SplitRing`.
enum class Splitting {
  at_half,    ///< the shorter way; at exactly half a ring, half of the flow each way
  both_ways,  ///< half of every flow each way, however long
  valiant,    ///< the shorter way to an intermediate drawn among all hosts, and on from there
};

/// Two-way ring, the smallest network with two routes between any two hosts. Link 2h leads from
/// host h to host h+1, link 2h+1 from host h to host h-1. Shares are added up link by link.
class SplitRing : public Network {
 public:
  /// @param down host that is down: whoever asks for its routes is refused.
  SplitRing(int size, Splitting splitting, LinkProperties link = {{10}, {0}},
            std::optional<HostId> down = {})
      : size_(size), splitting_(splitting), link_(link), down_(down) {}

  LinkProperties link(LinkId) const override { return link_; }
  std::string link_name(LinkId link) const override { return std::to_string(number(link)); }
  std::optional<LinkEnds> link_ends(LinkId) const override { return std::nullopt; }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const auto route = walked(steps(source, destination), source);
    links.insert(links.end(), route.begin(), route.end());
  }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    std::vector<double> on(static_cast<std::size_t>(num_links()));
    if (splitting_ == Splitting::valiant) {
      for (int m = 0; m < size_; ++m) {
        put(steps(source, HostId{m}), source, 1.0 / size_, on);
        put(steps(HostId{m}, destination), HostId{m}, 1.0 / size_, on);
      }
    } else {
      const int way = steps(source, destination);
      const bool splits = splitting_ == Splitting::both_ways || 2 * way == size_;
      put(way, source, splits ? 0.5 : 1, on);
      if (splits && way != 0) put(way > 0 ? way - size_ : way + size_, source, 0.5, on);
    }
    for (std::size_t l = 0; l < on.size(); ++l)
      if (on[l] > 0) shares.push_back({id_at<LinkId>(l), on[l]});
  }

  int hops(HostId source, HostId destination) const override {
    return std::abs(steps(source, destination));
  }

  double mean_hops(HostId source, HostId destination) const override {
    if (splitting_ == Splitting::at_half) return hops(source, destination);
    if (splitting_ == Splitting::both_ways) return source == destination ? 0 : size_ / 2.0;
    double sum = 0;
    for (int m = 0; m < size_; ++m) sum += hops(source, HostId{m}) + hops(HostId{m}, destination);
    return sum / size_;
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = size_;
    facts.num_links = 2 * size_;
    facts.description = "split ring";
    facts.routing = splitting_ == Splitting::valiant ? Routing::valiant : Routing::split;
    facts.splits_flows = true;
    if (down_) {
      facts.down_hosts.resize(static_cast<std::size_t>(size_));
      facts.down_hosts[index(*down_)] = true;
    }
    facts.diameter = [this] { return size_ / 2; };
    facts.injection_bandwidth = [this](HostId host) {
      check_up(host);
      return link_.bandwidth * 2;
    };
    return facts;
  }

  void check_up(HostId host) const {
    if (!is_up(host)) throw std::logic_error("a host that is down was asked for");
  }

  /// Signed steps of the shorter way, the positive one at exactly half a ring.
  int steps(HostId source, HostId destination) const {
    check_up(source);
    check_up(destination);
    const int forward = (number(destination) - number(source) + size_) % size_;
    return 2 * forward <= size_ ? forward : forward - size_;
  }

  std::vector<LinkId> walked(int steps, HostId source) const {
    std::vector<LinkId> links;
    int here = number(source);
    for (; steps > 0; --steps, here = (here + 1) % size_) links.push_back(LinkId{2 * here});
    for (; steps < 0; ++steps, here = (here + size_ - 1) % size_)
      links.push_back(LinkId{2 * here + 1});
    return links;
  }

  void put(int steps, HostId source, double share, std::vector<double>& on) const {
    for (const LinkId link : walked(steps, source)) on[index(link)] += share;
  }

  int size_;
  Splitting splitting_;
  LinkProperties link_;
  std::optional<HostId> down_;
};

}  // namespace vtopo
