#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/links.hpp"
#include "netmodels/wrapped_network.hpp"

namespace vtopo::detail {

/// A traffic's pairs of hosts: what flows of equal ends send together.
using HostPairs = std::vector<HostFlow>;

/// Flows with a volume between two hosts, those of one pair joined, by source and destination.
HostPairs joined_pairs(std::span<const HostFlow> flows);

/// Position of a pair in joined ones; nothing if it is not among them.
std::optional<std::size_t> find_pair(const HostPairs& pairs, HostId source, HostId destination);

/// The links that work; null if it is not known where they lead.
std::shared_ptr<const LinkGraph> working_graph(const Network& network);

/// What each link can carry per second; infinite where flows do not share it.
std::vector<double> link_capacities(const Network& network);

/// A network as one traffic meets it: `append_shares` of the child class says how.
class RoutedTraffic : public WrappedNetwork {
 public:
  RoutedTraffic(std::shared_ptr<const Network> base, Routing rule)
      : WrappedNetwork(std::move(base)), rule_(rule) {}

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override = 0;
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return Network::make_link_traffic();
  }
  double mean_hops(HostId source, HostId destination) const override;

 protected:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = WrappedNetwork::make_facts();
    facts.routing = rule_;
    facts.splits_flows = true;
    return facts;
  }

 private:
  Routing rule_;
};

/// A network whose routes follow from traffic. By itself it has the shortest routes, flows split
/// over them, and their hops; the last traffics that were asked for are kept.
class TrafficRouting : public WrappedNetwork {
 public:
  /// @param shortest under routing ecmp.
  TrafficRouting(std::shared_ptr<const Network> shortest, Routing rule)
      : WrappedNetwork(std::move(shortest)), rule_(rule) {}

  /// The network as this traffic meets it.
  std::shared_ptr<const Network> route_traffic(std::span<const HostFlow> traffic) const;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = WrappedNetwork::make_facts();
    facts.routing = rule_;
    facts.splits_flows = true;
    facts.routed = [this](std::span<const HostFlow> traffic) { return route_traffic(traffic); };
    return facts;
  }

  virtual std::shared_ptr<const Network> route(HostPairs pairs) const = 0;

  static constexpr std::size_t most_kept = 8;  ///< rows of a comparison are simulated later

  Routing rule_;
  mutable std::mutex mutex_;
  mutable std::deque<std::pair<HostPairs, std::shared_ptr<const Network>>> last_;
};

}  // namespace vtopo::detail
