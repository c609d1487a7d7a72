#include "netmodels/traffic_routing/adaptive.hpp"

#include <limits>
#include <utility>

#include "netmodels/traffic_routing/load_balance.hpp"
#include "netmodels/traffic_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_entries = std::size_t{1} << 27;  // of 16 bytes

void scale_from(std::size_t first, double factor, std::vector<LinkShare>& shares) {
  for (std::size_t s = first; s < shares.size(); ++s) shares[s].share *= factor;
}

class AdaptivelyRouted final : public RoutedTraffic {
 public:
  AdaptivelyRouted(std::shared_ptr<const Network> shortest, std::shared_ptr<const Network> valiant,
                   HostPairs pairs, std::vector<double> detours)
      : RoutedTraffic(std::move(shortest), Routing::adaptive),
        valiant_(std::move(valiant)),
        pairs_(std::move(pairs)),
        detours_(std::move(detours)) {}

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    const auto pair = find_pair(pairs_, source, destination);
    const double detour = pair ? detours_[*pair] : 0;
    const std::size_t first = shares.size();
    if (detour < 1) base()->append_shares(source, destination, shares);
    scale_from(first, 1 - detour, shares);
    if (detour == 0) return;
    const std::size_t second = shares.size();
    valiant_->append_shares(source, destination, shares);
    scale_from(second, detour, shares);
    join_entries(shares, first);
  }

 private:
  std::shared_ptr<const Network> valiant_;
  HostPairs pairs_;
  std::vector<double> detours_;  ///< part of each pair that goes as Valiant does
};

class Adaptive final : public TrafficRouting {
 public:
  Adaptive(std::shared_ptr<const Network> shortest, std::shared_ptr<const Network> valiant)
      : TrafficRouting(std::move(shortest), Routing::adaptive), valiant_(std::move(valiant)) {}

 private:
  std::shared_ptr<const Network> route(HostPairs pairs) const override {
    TwoRoutings flows;
    std::vector<LinkShare> shares;
    for (const HostFlow& pair : pairs) {
      add(*base(), pair, shares, flows.first);
      add(*valiant_, pair, shares, flows.second);
      flows.volume.push_back(pair.volume.value);
      check_size(pairs.size(), flows);
    }
    for (int l = 0; l < num_links(); ++l) {
      const LinkProperties is = link(LinkId{l});
      flows.capacity.push_back(is.sharing == LinkSharing::shared
                                   ? is.bandwidth.value
                                   : std::numeric_limits<double>::infinity());
    }
    Balance balance = balance_loads(flows);
    return std::make_shared<AdaptivelyRouted>(base(), valiant_, std::move(pairs),
                                              std::move(balance.second));
  }

  static void add(const Network& network, const HostFlow& pair, std::vector<LinkShare>& shares,
                  CompressedRows<LinkShare>& rows) {
    shares.clear();
    network.append_shares(pair.source, pair.destination, shares);
    for (const LinkShare& on : shares) rows.push(on);
    rows.end_row();
  }

  static void check_size(std::size_t pairs, const TwoRoutings& flows) {
    if (flows.first.num_entries() + flows.second.num_entries() <= max_entries) return;
    throw UsageError(fmt::format(
        "routing adaptive keeps the links of all routes: of {} pairs of hosts the first "
        "{} have more than {}; accepted for this traffic: the other rules",
        pairs, flows.volume.size(), max_entries));
  }

  std::shared_ptr<const Network> valiant_;
};

}  // namespace

std::shared_ptr<const Network> make_adaptive(std::shared_ptr<const Network> shortest,
                                             std::shared_ptr<const Network> valiant) {
  return std::make_shared<Adaptive>(std::move(shortest), std::move(valiant));
}

}  // namespace vtopo::detail
