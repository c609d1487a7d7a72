#include "netmodels/load_routing/adaptive.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netmodels/load_routing/legs.hpp"
#include "netmodels/load_routing/load_balance.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_entries = std::size_t{1} << 27;  // of 16 bytes

/// The links at the ends of all routes of each host: up to the first vertex from which there is
/// more than one way on, its root, routes have no choice.
struct HostStubs {
  std::vector<std::uint64_t> root;  ///< of each host: a vertex, itself where it has a choice
  CompressedRows<LinkId> up;        ///< a row per host: from it to its root
  CompressedRows<LinkId> down;      ///< a row per host: from its root to it

  explicit HostStubs(const Network& network) {
    const auto graph = working_graph(network);
    std::vector<LinkId> links_down;
    for (int host = 0; host < network.num_hosts(); ++host) {
      int before = host, at = host;
      links_down.clear();
      while (graph && !graph->passes_on(host)) {
        const auto out = graph->out_arcs(at), in = graph->in_arcs(at);
        const std::size_t ways = at == host ? 1 : 2;  // one of two leads back
        if (out.size() != ways || in.size() != ways) break;
        const Arc &forth = out[out[0].to == before ? ways - 1 : 0],
                  &back = in[in[0].from == before ? ways - 1 : 0];
        if (forth.to != back.from || forth.to == before || !graph->passes_on(forth.to)) break;
        up.push(forth.link);
        links_down.push_back(back.link);
        before = std::exchange(at, forth.to);
      }
      up.end_row();
      std::for_each(links_down.rbegin(), links_down.rend(), [&](LinkId link) { down.push(link); });
      down.end_row();
      root.push_back(static_cast<std::uint64_t>(at));
    }
  }
};

bool holds(std::span<const LinkId> stub, LinkId link) {
  return std::find(stub.begin(), stub.end(), link) != stub.end();
}

/// Pairs of hosts that send over the same links, but for the stubs of the hosts.
struct Bundles {
  std::vector<std::size_t> of_pair;        ///< one entry per pair
  CompressedRows<LinkShare> shares;        ///< a row per bundle, without stubs
  std::shared_ptr<const HostStubs> stubs;  ///< null: shares are complete
};

void check_entries(std::size_t pairs, std::size_t first_pairs, std::size_t entries) {
  if (entries <= max_entries) return;
  throw UsageError(
      fmt::format("routing adaptive keeps the links of all routes: of {} pairs of hosts the first "
                  "{} have more than {}; accepted for this traffic: the other rules",
                  pairs, first_pairs, max_entries));
}

class AdaptivelyRouted final : public RoutedTraffic {
 public:
  AdaptivelyRouted(std::shared_ptr<const Network> shortest, HostPairs pairs, Bundles bundles)
      : RoutedTraffic(std::move(shortest), Routing::adaptive),
        pairs_(std::move(pairs)),
        bundles_(std::move(bundles)) {}

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    const auto pair = find_pair(pairs_, source, destination);
    if (!pair) return base()->append_shares(source, destination, shares);
    const auto row = bundles_.shares.row(bundles_.of_pair[*pair]);
    if (!bundles_.stubs) return void(shares.insert(shares.end(), row.begin(), row.end()));
    const auto up = bundles_.stubs->up.row(index(source));
    for (const LinkId link : up) shares.push_back({link});
    shares.insert(shares.end(), row.begin(), row.end());
    for (const LinkId link : bundles_.stubs->down.row(index(destination)))
      if (!holds(up, link)) shares.push_back({link});  // two hosts at one path have all of it
  }

 private:
  HostPairs pairs_;
  Bundles bundles_;
};

/// The rules below do not look at hosts, but at the vertices where these are: pairs of hosts at the
/// same roots are one flow.
class Adaptive final : public TrafficRouting {
 public:
  Adaptive(std::shared_ptr<const Network> shortest, std::shared_ptr<const Network> valiant)
      : TrafficRouting(std::move(shortest), Routing::adaptive),
        valiant_(std::move(valiant)),
        stubs_(std::make_shared<const HostStubs>(*base())) {}

 private:
  std::shared_ptr<const Network> route(HostPairs pairs) const override {
    Bundles bundles{{}, {}, stubs_};
    TwoRoutings flows;
    flows.capacity = link_capacities(*this);
    flows.other_load.resize(flows.capacity.size());
    std::unordered_map<std::uint64_t, std::size_t> bundle_at;
    for (const HostFlow& pair : pairs) {
      const auto [at, is_new] = bundle_at.try_emplace(
          stubs_->root[index(pair.source)] << 32 | stubs_->root[index(pair.destination)],
          flows.volume.size());
      bundles.of_pair.push_back(at->second);
      if (is_new) {
        flows.volume.push_back(0);
        add(*base(), pair, flows.first);
        add(*valiant_, pair, flows.second);
        check_entries(pairs.size(), bundles.of_pair.size(),
                      flows.first.num_entries() + flows.second.num_entries());
      }
      flows.volume[at->second] += pair.volume.value;
      for (const auto stub :
           {stubs_->up.row(index(pair.source)), stubs_->down.row(index(pair.destination))})
        for (const LinkId link : stub) flows.other_load[index(link)] += pair.volume.value;
    }
    const std::vector<double> detours = balance_loads(flows).second;
    std::vector<LinkShare> shares;
    for (std::size_t f = 0; f < detours.size(); ++f) {
      shares.clear();
      append_scaled(flows.first.row(f), 1 - detours[f], shares);
      append_scaled(flows.second.row(f), detours[f], shares);
      if (detours[f] > 0 && detours[f] < 1) join_entries(shares, 0);
      for (const LinkShare& on : shares) bundles.shares.push(on);
      bundles.shares.end_row();
    }
    return std::make_shared<AdaptivelyRouted>(base(), std::move(pairs), std::move(bundles));
  }

  void add(const Network& network, const HostFlow& pair, CompressedRows<LinkShare>& rows) const {
    std::vector<LinkShare> shares;
    network.append_shares(pair.source, pair.destination, shares);
    for (const LinkShare& on : shares)
      if (!holds(stubs_->up.row(index(pair.source)), on.link) &&
          !holds(stubs_->down.row(index(pair.destination)), on.link))
        rows.push(on);
    rows.end_row();
  }

  static void append_scaled(std::span<const LinkShare> row, double factor,
                            std::vector<LinkShare>& shares) {
    if (factor == 0) return;
    for (const LinkShare& on : row) shares.push_back({on.link, on.share * factor});
  }

  std::shared_ptr<const Network> valiant_;
  std::shared_ptr<const HostStubs> stubs_;
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
    Bundles each{std::vector<std::size_t>(pairs.size()), std::move(balance.shares), nullptr};
    std::iota(each.of_pair.begin(), each.of_pair.end(), std::size_t{0});
    return std::make_shared<AdaptivelyRouted>(base(), std::move(pairs), std::move(each));
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
