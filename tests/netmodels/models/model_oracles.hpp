#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/network.hpp"

namespace vtopo::tests {

using namespace vtopo::detail;

/// Shares of a flow by link; a link that is listed twice fails the test.
inline std::map<LinkId, double> shares_between(const Network& network, int a, int b) {
  std::vector<LinkShare> list;
  network.append_shares(HostId{a}, HostId{b}, list);
  std::map<LinkId, double> shares;
  for (const auto& [link, share] : list) {
    CHECK(shares.find(link) == shares.end());
    shares[link] = share;
  }
  return shares;
}

inline void check_same_shares(const std::map<LinkId, double>& a,
                              const std::map<LinkId, double>& b) {
  REQUIRE(a.size() == b.size());
  for (const auto& [link, share] : a) REQUIRE(b.at(link) == Approx(share));
}

/// Flows from every `step`-th host to all others split as a search in the links says.
inline void check_shares_by_search(const Network& network, int step) {
  const ShortestRoutes oracle(LinkGraph::of(network));
  for (int a = 0; a < network.num_hosts(); a += step)
    for (int b = 0; b < network.num_hosts(); ++b) {
      if (a == b) continue;
      std::vector<LinkShare> list;
      oracle.append_shares(HostId{a}, HostId{b}, list);
      std::map<LinkId, double> expected;
      for (const auto& [link, share] : list) expected[link] += share;
      check_same_shares(shares_between(network, a, b), expected);
    }
}

/// Hops that a link counts for over all families of cuts, whose cells are single ones.
inline double hops_in_cuts(const Network& network, LinkId link) {
  const LinkEnds ends = *network.link_ends(link);
  double hops = 0;
  for (const VertexCells& cells : network.cuts()) {
    const int from = cells.of(ends.from), to = cells.of(ends.to);
    if (from != to) hops += cells.hops * ((from >= 0 ? 1 : 0) + (to >= 0 ? 1 : 0));
  }
  return hops;
}

}  // namespace vtopo::tests
