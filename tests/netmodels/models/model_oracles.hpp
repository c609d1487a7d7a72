#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/network.hpp"
#include "tests/netmodels/walks.hpp"

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

/// Routes between all hosts are walks of as many links as the oracle (Floyd and Warshall) says;
/// each goes to `visit(destination, route)`.
template <class Visit>
void check_shortest_routes(const Network& network, Visit visit) {
  const std::vector<bool> none_failed(static_cast<std::size_t>(network.num_links()));
  const AllDistances distances(network, none_failed, true);
  int longest = 0;
  for (int a = 0; a < network.num_hosts(); ++a)
    for (int b = 0; b < network.num_hosts(); ++b) {
      std::vector<LinkId> route;
      network.append_route(HostId{a}, HostId{b}, route);
      REQUIRE(is_walk(network, route, HostId{a}, HostId{b}, none_failed));
      REQUIRE(static_cast<int>(route.size()) == distances.between(a, b));
      REQUIRE(network.hops(HostId{a}, HostId{b}) == distances.between(a, b));
      longest = std::max(longest, distances.between(a, b));
      visit(b, route);
    }
  CHECK(network.diameter() == longest);
}

/// The same, and every vertex sends on by destination alone, wherever the message comes from.
inline void check_shortest_by_destination(const Network& network) {
  std::map<std::pair<int, int>, LinkId> tables;  // by vertex and destination
  check_shortest_routes(network, [&](int destination, const std::vector<LinkId>& route) {
    for (const LinkId link : route) {
      const std::pair at{network.link_ends(link)->from, destination};
      REQUIRE(tables.emplace(at, link).first->second == link);
    }
  });
}

/// Least bandwidth between any two halves of the hosts, other vertices on the side that suits: all
/// sides are tried.
inline double least_cut_of_halves(const Network& network) {
  int vertices = 0;
  std::vector<LinkEnds> ends;
  std::vector<double> bandwidths;
  for (int l = 0; l < network.num_links(); ++l) {
    ends.push_back(*network.link_ends(LinkId{l}));
    bandwidths.push_back(network.link(LinkId{l}).bandwidth.value);
    vertices = std::max({vertices, ends.back().from + 1, ends.back().to + 1});
  }
  const std::size_t hosts = (std::size_t{1} << network.num_hosts()) - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t side = 0; side < std::size_t{1} << vertices; ++side) {
    if (std::popcount(side & hosts) != network.num_hosts() / 2) continue;
    double cut = 0;
    for (std::size_t l = 0; l < ends.size(); ++l)
      if ((side >> ends[l].from & 1) == 1 && (side >> ends[l].to & 1) == 0) cut += bandwidths[l];
    least = std::min(least, cut);
  }
  return least;
}

/// The closed form of the bisection is that least cut.
inline void check_bisection(const Network& network) {
  const auto bisection = network.bisection();
  REQUIRE(bisection);
  CHECK(bisection->exact);
  CHECK(bisection->bandwidth.value == Approx(least_cut_of_halves(network)));
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
