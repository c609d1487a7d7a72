#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// What many flows sum up to, in one place or on one link.
struct FlowSum {
  double volume = 0;
  std::int32_t flows = 0;

  void add(double more, std::int32_t count = 1) {
    volume += more;
    flows += count;
  }
  FlowSum& operator+=(const FlowSum& other) {
    add(other.volume, other.flows);
    return *this;
  }
};

/// Sums of each link, side by side in memory because a flow changes both.
class LinkSums {
 public:
  explicit LinkSums(int num_links) : sums_(static_cast<std::size_t>(num_links)) {}

  void add(LinkId link, double volume, std::int32_t flows = 1) {
    sums_[index(link)].add(volume, flows);
  }

  LinkTotals totals() const {
    LinkTotals totals;
    totals.traffic.reserve(sums_.size());
    totals.flows.reserve(sums_.size());
    for (const FlowSum& sum : sums_) {
      totals.traffic.push_back(sum.volume);
      totals.flows.push_back(sum.flows);
    }
    return totals;
  }

 private:
  std::vector<FlowSum> sums_;
};

/// Adds each flow to the links of its route as it comes.
/// @tparam Walk called with source, destination and what takes the links.
template <class Walk>
class WalkedTraffic final : public LinkTraffic {
 public:
  WalkedTraffic(int num_links, Walk walk) : sums_(num_links), walk_(std::move(walk)) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    walk_(source, destination, [&](LinkId link) { sums_.add(link, volume.value); });
  }

  LinkTotals totals() override { return sums_.totals(); }

 private:
  LinkSums sums_;
  Walk walk_;
};

/// The same with the type of the walk deduced.
template <class Walk>
std::unique_ptr<LinkTraffic> make_walked_traffic(int num_links, Walk walk) {
  return std::make_unique<WalkedTraffic<Walk>>(num_links, std::move(walk));
}

}  // namespace vtopo::detail
