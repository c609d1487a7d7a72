#pragma once

#include <utility>

#include "netmodels/network.hpp"

namespace vtopo {

/// Ten bytes per second, no latency: what a byte costs is read off the result.
inline constexpr LinkProperties link_of_10{{10}, {0}};

/// One-way ring 0 -> 1 -> ... -> 0, the smallest network whose hops differ by direction. Link i
/// leaves host i around the ring; link size + i is a limiter (no hop) that every route from host i
/// passes first.
class RingNetwork final : public Network {
 public:
  RingNetwork(int size, LinkProperties around, LinkProperties limiter)
      : size_(size), around_(around), limiter_(limiter) {
    limiter_.hops = 0;
  }

  LinkProperties link(LinkId link) const override {
    return number(link) < size_ ? around_ : limiter_;
  }
  std::string link_name(LinkId link) const override { return std::to_string(number(link)); }
  std::optional<LinkEnds> link_ends(LinkId) const override { return std::nullopt; }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return;
    links.push_back(LinkId{size_ + number(source)});
    for (int h = number(source); h != number(destination); h = (h + 1) % size_)
      links.push_back(LinkId{h});
  }
  int hops(HostId source, HostId destination) const override {
    return (number(destination) - number(source) + size_) % size_;
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = size_;
    facts.num_links = 2 * size_;
    facts.description = "one-way ring";
    facts.diameter = [this] { return size_ - 1; };
    facts.injection_bandwidth = [this](HostId) { return around_.bandwidth; };
    return facts;
  }

  int size_;
  LinkProperties around_;
  LinkProperties limiter_;
};

}  // namespace vtopo
