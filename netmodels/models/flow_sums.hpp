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

/// Adds each flow to the links of its routes as it comes.
/// @tparam Walk called with source, destination and what takes links, and the share of the flow on
/// each where it splits.
template <class Walk>
class WalkedTraffic final : public LinkTraffic {
 public:
  WalkedTraffic(int num_links, Walk walk) : sums_(num_links), walk_(std::move(walk)) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    walk_(source, destination, [this, bytes = volume.value](LinkId link, double share = 1) {
      sums_.add(link, bytes * share);
    });
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

/// Sums of Valiant's routing (Valiant and Brebner, STOC 1981) on a network whose hosts hang on
/// routers: what leaves and what arrives is added up by router, and both legs are put on links once
/// all flows are known.
/// @tparam Hosts says of hosts `router`, and if `have_cables` their links `up` and `down`.
template <class Hosts>
class LegTraffic : public LinkTraffic {
 public:
  void add(HostId source, HostId destination, Bytes volume) final {
    const FlowSum load{volume.value, 1};
    if (hosts_.have_cables()) {
      put(hosts_.up(source), load);
      put(hosts_.down(destination), load);
    }
    const auto from = static_cast<std::size_t>(hosts_.router(source));
    const auto to = static_cast<std::size_t>(hosts_.router(destination));
    if (from == to) return;
    leaving_[from] += load;
    arriving_[to] += load;
  }

  LinkTotals totals() final {
    add_first_legs(std::move(leaving_));
    add_second_legs(std::move(arriving_));
    return sums_.totals();
  }

 protected:
  LegTraffic(const Hosts& hosts, int num_routers, int num_links)
      : hosts_(hosts),
        sums_(num_links),
        leaving_(static_cast<std::size_t>(num_routers)),
        arriving_(leaving_.size()) {}

  /// Puts all legs that leave routers, one load per router, on their links.
  virtual void add_first_legs(std::vector<FlowSum> leaving) = 0;
  /// Puts all legs that arrive at routers, one load per router, on their links.
  virtual void add_second_legs(std::vector<FlowSum> arriving) = 0;

  void put(LinkId link, const FlowSum& load) { sums_.add(link, load.volume, load.flows); }

 private:
  const Hosts& hosts_;
  LinkSums sums_;
  std::vector<FlowSum> leaving_;   ///< by router
  std::vector<FlowSum> arriving_;  ///< by router
};

/// The same where legs have no closed form: each router's loads take the routes to and from every
/// other one, O(routers^2 routes). All legs that leave a router, or arrive there, for one flow are
/// one flow on a link.
/// @tparam Visit calls its last argument with each link between two routers and the share of a flow
/// that takes it: visit(from, to, share, add).
template <class Hosts, class Visit>
class VisitedLegTraffic final : public LegTraffic<Hosts> {
 public:
  VisitedLegTraffic(const Hosts& hosts, int num_routers, int num_links, Visit visit)
      : LegTraffic<Hosts>(hosts, num_routers, num_links),
        num_links_(static_cast<std::size_t>(num_links)),
        visit_(std::move(visit)) {}

 private:
  void add_first_legs(std::vector<FlowSum> leaving) override {
    add_legs(leaving, [this](int end, int by, const auto& add) { visit_(end, by, 1.0, add); });
  }
  void add_second_legs(std::vector<FlowSum> arriving) override {
    add_legs(arriving, [this](int end, int by, const auto& add) { visit_(by, end, 1.0, add); });
  }

  template <class Leg>
  void add_legs(const std::vector<FlowSum>& loads, const Leg& leg) {
    const int routers = static_cast<int>(loads.size());
    std::vector<int> counted(num_links_, -1);  // the last end whose flows are counted, by link
    for (int end = 0; end < routers; ++end) {
      const FlowSum& load = loads[static_cast<std::size_t>(end)];
      for (int by = 0; load.flows > 0 && by < routers; ++by)
        leg(end, by, [&](LinkId link, double share) {
          const bool is_new = std::exchange(counted[index(link)], end) != end;
          this->put(link, {load.volume / routers * share, is_new ? load.flows : 0});
        });
    }
  }

  std::size_t num_links_;
  Visit visit_;
};

/// The same with the type of the visit deduced.
template <class Hosts, class Visit>
std::unique_ptr<LinkTraffic> make_visited_leg_traffic(const Hosts& hosts, int num_routers,
                                                      int num_links, Visit visit) {
  return std::make_unique<VisitedLegTraffic<Hosts, Visit>>(hosts, num_routers, num_links,
                                                           std::move(visit));
}

}  // namespace vtopo::detail
