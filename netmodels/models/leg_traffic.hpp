#pragma once

#include <utility>
#include <vector>

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail
