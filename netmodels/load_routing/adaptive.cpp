#include "netmodels/load_routing/adaptive.hpp"

#include <algorithm>
#include <utility>

#include "netmodels/load_routing/legs.hpp"
#include "netmodels/load_routing/load_balance.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_entries = std::size_t{1} << 27;  // of 16 bytes

void scale_from(std::size_t first, double factor, std::vector<LinkShare>& shares) {
  for (std::size_t s = first; s < shares.size(); ++s) shares[s].share *= factor;
}

void check_entries(std::size_t pairs, std::size_t first_pairs, std::size_t entries) {
  if (entries <= max_entries) return;
  throw UsageError(
      fmt::format("routing adaptive keeps the links of all routes: of {} pairs of hosts the first "
                  "{} have more than {}; accepted for this traffic: the other rules",
                  pairs, first_pairs, max_entries));
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
    if (detour < 1) join_entries(shares, first);
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
    flows.capacity = link_capacities(*this);
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
    check_entries(pairs, flows.volume.size(),
                  flows.first.num_entries() + flows.second.num_entries());
  }

  std::shared_ptr<const Network> valiant_;
};

/// Each pair has shares of its own, over shortest routes.
class SpreadOverShortest final : public RoutedTraffic {
 public:
  SpreadOverShortest(std::shared_ptr<const Network> shortest, HostPairs pairs,
                     CompressedRows<LinkShare> shares)
      : RoutedTraffic(std::move(shortest), Routing::adaptive),
        pairs_(std::move(pairs)),
        shares_(std::move(shares)) {}

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    const auto pair = find_pair(pairs_, source, destination);
    if (!pair) return base()->append_shares(source, destination, shares);
    const auto row = shares_.row(*pair);
    shares.insert(shares.end(), row.begin(), row.end());
  }

 private:
  HostPairs pairs_;
  CompressedRows<LinkShare> shares_;  ///< a row per pair
};

class AdaptiveAmongShortest final : public TrafficRouting {
 public:
  AdaptiveAmongShortest(std::shared_ptr<const Network> shortest,
                        std::shared_ptr<const LinkGraph> graph)
      : TrafficRouting(std::move(shortest), Routing::adaptive), graph_(std::move(graph)) {}

 private:
  std::shared_ptr<const Network> route(HostPairs pairs) const override {
    FlowsToBalance flows{{}, {}, link_capacities(*this)};
    std::vector<int> ends;
    std::vector<LinkShare> shares;
    for (const HostFlow& pair : pairs) {
      shares.clear();
      base()->append_shares(pair.source, pair.destination, shares);
      for (const LinkShare& on : shares) flows.start.push(on);
      flows.start.end_row();
      flows.volume.push_back(pair.volume.value);
      ends.push_back(number(pair.destination));
      check_entries(pairs.size(), flows.volume.size(), flows.start.num_entries());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    if (!legs_ || ends != ends_) {
      legs_ = nullptr;  // two of them may not fit into memory
      legs_ = std::make_unique<const Legs>(*graph_, ends, Legs::Direction::to_root);
      ends_ = ends;
    }
    Legs::Search search;
    PathBalance balance = balance_paths(
        flows, [&](std::size_t f, const std::vector<double>& costs, std::vector<LinkId>& route) {
          const int end = number(pairs[f].destination);
          const auto root = std::lower_bound(ends.begin(), ends.end(), end) - ends.begin();
          if (!legs_->append_shortest(static_cast<std::size_t>(root), number(pairs[f].source),
                                      costs, search, route))
            base()->append_route(pairs[f].source, pairs[f].destination, route);
        });
    return std::make_shared<SpreadOverShortest>(base(), std::move(pairs),
                                                std::move(balance.shares));
  }

  std::shared_ptr<const LinkGraph> graph_;
  // Of the last traffic; placements of one job have the same ends. One `route` runs at a time.
  mutable std::unique_ptr<const Legs> legs_;
  mutable std::vector<int> ends_;
};

}  // namespace

std::shared_ptr<const Network> make_adaptive(std::shared_ptr<const Network> shortest) {
  auto graph = working_graph(*shortest);
  if (!graph)
    throw UsageError("routing adaptive needs to know where links lead; of " +
                     shortest->description() + " only routes are known");
  return std::make_shared<AdaptiveAmongShortest>(std::move(shortest), std::move(graph));
}

std::shared_ptr<const Network> make_adaptive(std::shared_ptr<const Network> shortest,
                                             std::shared_ptr<const Network> valiant) {
  // A detour by way of any host of a large torus takes nearly every link: thousands of flows would
  // fill the memory, and none gains by going twice as far.
  constexpr std::size_t most_links_of_a_detour = 4096;
  std::vector<LinkShare> detour;
  valiant->append_shares(HostId{0}, HostId{shortest->num_hosts() / 2}, detour);
  if (detour.size() > most_links_of_a_detour) return make_adaptive(std::move(shortest));
  return std::make_shared<Adaptive>(std::move(shortest), std::move(valiant));
}

}  // namespace vtopo::detail
