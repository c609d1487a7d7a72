#pragma once

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::tests {

/// Links from host `source` to host `destination`, in the order of travel.
inline std::vector<LinkId> route_of(const Network& network, int source, int destination) {
  std::vector<LinkId> route;
  network.append_route(HostId{source}, HostId{destination}, route);
  return route;
}

/// Names of these links.
inline std::vector<std::string> route_names(const Network& network, int source, int destination) {
  std::vector<std::string> names;
  for (const LinkId link : route_of(network, source, destination))
    names.push_back(network.link_name(link));
  return names;
}

/// Shares of the flow from host `source` to host `destination` on its links.
inline std::vector<LinkShare> shares_of(const Network& network, int source, int destination) {
  std::vector<LinkShare> shares;
  network.append_shares(HostId{source}, HostId{destination}, shares);
  return shares;
}

/// Checks that runs of links between two hosts are the shares of their flow, in their order.
inline void check_runs(const Network& network, HostId a, HostId b) {
  std::vector<LinkRun> runs;
  network.append_runs(a, b, runs);
  const auto shares = shares_of(network, number(a), number(b));
  std::size_t next = 0;
  for (const LinkRun& run : runs)
    for (int i = 0; i < run.count; ++i, ++next) {
      REQUIRE(next < shares.size());
      REQUIRE(shares[next].link == LinkId{number(run.first) + i * run.step});
      REQUIRE(shares[next].share == run.share);
    }
  REQUIRE(next == shares.size());
}

/// Names of the first `count` hosts.
inline std::vector<std::string> host_names(const Network& network, int count) {
  std::vector<std::string> names;
  for (int h = 0; h < count; ++h) names.push_back(network.host_name(HostId{h}));
  return names;
}

/// Names of all hosts.
inline std::vector<std::string> host_names(const Network& network) {
  return host_names(network, network.num_hosts());
}

}  // namespace vtopo::tests
